/** What stands in a file that has just become a team. */
export const newTeam = `(define trip-team
  (:executors
    (flights
      (:does "Finds flights between two cities on a day.")
      (:gives "{\\"price\\": 120}")
      (:constraints (check "result.price <= 500" "the flight costs at most 500")))
    (hotels
      (:does "Finds a room near a place, with its price a night.")
      (:gives "{\\"price\\": 80}"))
    (planner
      (:does "Makes an itinerary of what the others found.")))
  (:local "Name where every figure is from.")
  (:global (ltl "!started.planner W done.flights" "what is planned starts from a flight"))
  (:deliverer inference)
  (:limits (retries 2)))
`;
