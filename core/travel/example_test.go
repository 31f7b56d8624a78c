package travel_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/travel"
)

// A plan for two days is checked against a query and the database.
func Example() {
	db, err := travel.Open(`{
	  "cities": {"Utah": ["Moab", "Provo"]},
	  "ways": [["Provo", "Moab", "3 hours", 290], ["Moab", "Provo", "3 hours", 290]],
	  "restaurants": {"Moab": [["Milt's", "American", 21, 4.8], ["Arches Thai", "Thai", 33, 4.1]]},
	  "accommodations": {"Moab": [["A yurt", "Entire home/apt", 180, 1, 2, "No pets", 4]]}
	}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	query, err := travel.ParseQuery(`{"org": "Provo", "dest": "Moab", "days": 2, "visiting_city_number": 1, "people_number": 3, "budget": 500}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, _ := travel.ParsePlan(`
Day 1:
Current City: from Provo to Moab
Transportation: Self-driving, from Provo to Moab
Dinner: Milt's, Moab
Accommodation: A yurt, Moab

Day 2:
Current City: from Moab to Provo
Transportation: Self-driving, from Moab to Provo
Breakfast: Milt's, Moab
`)
	report := db.Check(query, plan)
	for _, name := range report.Failed() {
		c, _ := report.Check(name)
		fmt.Printf("%s: %s\n", c.Constraint, c.Reason)
	}
	// Output:
	// Diverse Restaurants: day 2, breakfast: 'Milt's, Moab' was already day 1's dinner
	// Budget: costs 514 of 500: self-driving 28 (14 + 14), meals 126 (3 × 21 + 3 × 21), nights 360 (2 × 180)
}
