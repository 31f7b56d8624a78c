// A workspace in which a team plans a trip: its query, the records that its tools look
// things up in, and a script by which it plans without a model.
import type { Workspace } from "./store.js";
import { teamScriptFile } from "./team-settings.js";
import type { TravelItinerary, TravelQuery } from "./wire.js";

/** The files of such a workspace; the core knows the first by its name. */
export const tripRecordsFile = "travelplanner.json";
export const tripQueryFile = "trip-query.json";

const team = `; PMC on TravelPlanner: what a trip is made of is looked up by several, at the
; same time where nothing is needed of each other, and put together under what has
; to hold for the whole.
(define trip-team
  (:executors
    (traveller
      (:does "Finds how to get from city to city: flights, or ways by road, with times and costs.")
      (:tools "FlightSearch" "DistanceMatrix" "CitySearch"))
    (host
      (:does "Finds where to stay, with the price a night, the house rules and the least nights.")
      (:tools "AccommodationSearch")
      (:constraints (ltl "F called.AccommodationSearch" "where to stay is looked up")))
    (guide
      (:does "Finds where to eat and what to see.")
      (:tools "RestaurantSearch" "AttractionSearch"))
    (accountant
      (:does "Adds up what a plan costs.")
      (:tools "Cost")
      (:constraints (ltl "F called.Cost" "what it costs is added up"))))
  (:local "Use nothing that was not looked up.")
  (:global
    "The trip begins and ends at the origin, and comes back to no city that it has left."
    "Nobody eats at the same place or sees the same thing twice."
    "Nobody leaves a place to stay before its least nights."
    "All of it costs no more than the budget."
    (ltl "!done.accountant W done.traveller" "what is added up starts from the ways"))
  (:deliverer inference
    (:gives "[{\\"days\\": 1, \\"current_city\\": \\"from A to B\\", \\"transportation\\": \\"Flight Number: …\\", \\"breakfast\\": \\"-\\", \\"attraction\\": \\"name, B;\\", \\"lunch\\": \\"name, B\\", \\"dinner\\": \\"name, B\\", \\"accommodation\\": \\"name, B\\"}]"))
  (:limits (retries 1)))
`;

/** The workspace for a query, whose script comes to a plan. */
export function tripWorkspace(query: TravelQuery, plan: string, trip: TravelItinerary, records: string): Workspace {
  const files = [
    { name: "trip.team", text: team },
    { name: tripQueryFile, text: `${JSON.stringify(query, null, 1)}\n` },
    { name: teamScriptFile, text: `${JSON.stringify(script(query, plan, trip), null, 1)}\n` },
    { name: tripRecordsFile, text: records },
  ];
  return { title: `${query.org} to ${query.dest}`, files, current: "trip.team" };
}

/** What is asked, in words. */
export function taskOfTrip(q: TravelQuery): string {
  if (q.query !== undefined && q.query !== "") return q.query;
  const w = q.local_constraint;
  const wishes = [
    ...(w["house rule"] === "" ? [] : [`${w["house rule"]} must be allowed`]), ...(w["room type"] === "" ? [] : [`the room is a ${w["room type"]}`]),
    ...(w.transportation === "" ? [] : [w.transportation]), ...(w.cuisine.length === 0 ? [] : [`${w.cuisine.join(", ")} food`]),
  ];
  return `Plan a trip of ${q.days} days from ${q.org} to ${q.dest}${q.date[0] === undefined ? "" : `, from ${q.date[0]} on`}, visiting ${q.visiting_city_number} ${q.visiting_city_number === 1 ? "city" : "cities"}, for ${q.people_number} with $${q.budget}.${wishes.length === 0 ? "" : ` Wanted: ${wishes.join("; ")}.`}`;
}

function script(q: TravelQuery, plan: string, trip: TravelItinerary): Readonly<Record<string, readonly string[]>> {
  const cities = [...new Set(trip.days.flatMap((d) => d.cities))].filter((city) => city !== q.org);
  const legs = trip.days.flatMap((d) => (d.leg === undefined ? [] : [{ ...d.leg, date: d.date }]));
  const meals = trip.days.flatMap((d) => d.meals.map((m) => m.text));
  const subtask = (id: string, executor: string, task: string, needs: readonly string[] = []): unknown => ({ id, task, executor, needs, local: [] });
  const graph = {
    thought: "Ways, rooms and sights need nothing of each other; the sum needs them all.",
    subtasks: [
      subtask("t1", "traveller", `Find the ways of a trip from ${q.org} to ${q.dest} and back.`),
      subtask("t2", "host", `Find where to stay in ${cities.join(", ")}.`),
      subtask("t3", "guide", `Find where to eat and what to see in ${cities.join(", ")}.`),
      subtask("t4", "accountant", "Add up what it costs.", ["t1", "t2", "t3"]),
    ],
    global: [`all of it costs at most ${q.budget} dollars`],
  };
  return {
    manager: [JSON.stringify(graph)],
    supervisor: [JSON.stringify({ task: `Add up what the ways, rooms, meals and sights cost ${q.people_number} together.` })],
    deliverer: [plan],
    "task t1": [...legs.map((leg) => leg.mode === "flight" ? act("FlightSearch", { from: leg.from, to: leg.to, date: leg.date }) : act("DistanceMatrix", { from: leg.from, to: leg.to, mode: leg.mode })), answer(legs.map((leg) => leg.text).join("\n"))],
    "task t2": [...cities.map((city) => act("AccommodationSearch", { city })), answer([...new Set(trip.days.flatMap((d) => (d.night === undefined ? [] : [d.night.text])))].join("\n"))],
    "task t3": [...cities.flatMap((city) => [act("RestaurantSearch", { city }), act("AttractionSearch", { city })]), answer([...meals, ...trip.days.flatMap((d) => d.attractions.map((s) => s.text))].join("\n"))],
    "task t4": [act("Cost", { people: q.people_number, budget: q.budget, plan: JSON.parse(plan) as unknown }), answer(`All of it costs ${trip.cost.total} dollars.`)],
  };
}

function act(tool: string, input: unknown): string {
  return `[Thought] I look it up.\n[Action] ${tool}\n[Action Input] ${JSON.stringify(input)}`;
}

function answer(text: string): string {
  return `[Final Thought] That is enough.\n[Answer] ${text}`;
}
