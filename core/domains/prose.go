package domains

// prose has our texts for the problems of a domain.
type prose struct {
	title     string
	task      string
	goal      string        // the expected goal of the Definer
	total     [2]string     // the member of an answer with the objective, and its description
	leaves    []leaf        // further members of an answer
	variables []description // the expected variables of the Formulator
}

// leaf is the form of a family of variables in an answer: a member for each variable, under the
// words of its name, or a list of the last words of the names of the variables that are 1.
type leaf struct {
	family, about string
	list          bool
}

// description is a variable in the form of LLMFP's Formulator.
type description struct {
	name                       string
	solved                     bool
	number                     string // a number, or its dependencies
	source, value, requirement string
}

// proses returns the texts of a domain without steps.
func proses(domain string) (prose, bool) {
	switch domain {
	case "coffee":
		return prose{
			title: "Coffee",
			task: `# Coffee

A coffee company buys beans from three suppliers, each of which has only so many. Two
roasteries roast them, light or dark, and the coffee is shipped to three cafes. Each cafe
needs a certain amount of light coffee and a certain amount of dark coffee. Beans and
coffee go in whole units, and a unit of beans makes a unit of coffee.

What a unit costs on each way, and what roasting it costs, is in the data. Plan what goes
where and what is roasted, so that shipping and roasting cost as little as possible and
every cafe gets what it needs.
`,
			goal: `## Goal

The least total cost: of shipping beans to the roasteries, of roasting them, and of
shipping coffee to the cafes.

## Decision variables

- units of beans shipped from each supplier to each roastery
- units of light coffee, and of dark coffee, that each roastery roasts
- units of light coffee, and of dark coffee, shipped from each roastery to each cafe

## Constraints

- No supplier ships more beans than it has.
- Every cafe gets at least the light coffee and the dark coffee that it needs.
- No roastery roasts more coffee, both kinds together, than it gets beans. The task does
  not say so; without it coffee comes from nowhere, and the cheapest plan buys no beans.
- No roastery ships more coffee of a kind than it has roasted of it. This is not said
  either.
- All amounts are whole numbers, and none is negative.
`,
			total: [2]string{Total, "{objective}: a number, what shipping and roasting cost in all"},
			leaves: []leaf{
				{"ship", "whole units of beans", false},
				{"roast", "whole units", false},
				{"light", "whole units of light coffee", false},
				{"dark", "whole units of dark coffee", false},
			},
			variables: []description{
				{"ship", true, "6", "data: shipping_cost_from_supplier_to_roastery, capacity_in_supplier", "units of beans from each supplier to each roastery", "whole, not negative; of each supplier together at most its capacity"},
				{"roast", true, "4", "data: roasting_cost_light, roasting_cost_dark; ship", "units of light and of dark coffee that each roastery roasts", "whole, not negative; of each roastery together at most the beans that it gets"},
				{"light", true, "6", "data: shipping_cost_from_roastery_to_cafe, light_coffee_needed_for_cafe; roast", "units of light coffee from each roastery to each cafe", "whole, not negative; of each roastery together at most what it roasts; to each cafe together at least what it needs"},
				{"dark", true, "6", "data: shipping_cost_from_roastery_to_cafe, dark_coffee_needed_for_cafe; roast", "units of dark coffee from each roastery to each cafe", "whole, not negative; of each roastery together at most what it roasts; to each cafe together at least what it needs"},
				{Total, true, "1", "ship, roast, light, dark, and the costs of each", "the sum of units times cost", "minimize"},
			},
		}, true
	case "workforce":
		return prose{
			title: "Workforce",
			task: `# Workforce

Seven people share the shifts of two weeks. Each day needs a certain number of them,
neither fewer nor more. Everybody can work on some of the days only, and is paid for each
day of work. Who can work when, what each is paid and what each day needs is in the data.

Plan who works on which day, so that every day has the people it needs and the pay of all
together is as little as possible.
`,
			goal: `## Goal

The least pay for all together.

## Decision variables

- for each worker and each day, whether the worker works on that day

## Constraints

- Each day has exactly the number of workers that it needs.
- Nobody works on a day on which they cannot.
- Nobody works twice on the same day: for each worker and day there is a yes or a no,
  nothing between and nothing beyond.
`,
			total:  [2]string{"total_pay", "{objective}: a number, what all are paid"},
			leaves: []leaf{{"work", "name of a day on which the worker works", true}},
			variables: []description{
				{"work", true, "one for each worker and each day on which the worker can work", "data: availability, work_requirement", "1 where the worker works on the day, else 0", "0 or 1; of each day together exactly what it needs"},
				{Total, true, "1", "work; data: worker_pay", "the sum of pay over all that is worked", "minimize"},
			},
		}, true
	case "facility":
		return prose{
			title: "Facility",
			task: `# Facility

A company makes its product in five plants and ships it to four warehouses. A plant that is
open costs a fixed sum, however much it makes, and cannot ship more than its capacity. What
a thousand units cost on their way depends on the plant and the warehouse. Plants and
warehouses are counted from 0; amounts are in thousands of units and need not be whole.

Each warehouse has to get exactly what it needs. Some plants may be closed. Decide which
are open and what each ships to each warehouse, so that fixed costs and transport together
cost as little as possible.
`,
			goal: `## Goal

The least total cost: the fixed costs of the plants that are open, and transport.

## Decision variables

- for each plant, whether it is open
- thousands of units shipped from each plant to each warehouse

## Constraints

- Each warehouse gets exactly what it needs.
- An open plant ships no more than its capacity.
- A closed plant ships nothing. The task does not say so; without it all plants are closed,
  and ship.
- No amount is negative. Amounts need not be whole.
`,
			total: [2]string{Total, "{objective}: a number, fixed costs and transport together"},
			leaves: []leaf{
				{"open", "number of a plant that is open", true},
				{"ship", "thousands of units", false},
			},
			variables: []description{
				{"open", true, "5", "data: fixedCosts, capacity", "whether each plant is open", "true or false"},
				{"ship", true, "20", "data: transCosts, demand; open", "thousands of units from each plant to each warehouse", "real, not negative; of each plant together at most its capacity where it is open, else 0; to each warehouse together exactly its demand"},
				{Total, true, "1", "open, ship; data: fixedCosts, transCosts", "fixed costs of what is open, and amounts times cost of transport", "minimize"},
			},
		}, true
	case "task_allocation":
		return prose{
			title: "Task allocation",
			task: `# Task allocation

Three robots work side by side on tasks of three kinds. Each can do tasks of every kind,
one after the other, but needs a different time for them, which is in the data. The query
says how many tasks of each kind there are.

Hand the tasks to the robots, so that the last robot stops as early as possible.
`,
			goal: `## Goal

The earliest time at which the last robot stops.

## Decision variables

- how many tasks of each kind each robot does
- when the last robot stops

## Constraints

- Every task is done, by one robot.
- The last robot stops no earlier than any robot, which works for the sum of the times of
  its tasks.
- Numbers of tasks are whole, and none is negative.
`,
			total:  [2]string{"finish", "{objective}: a number, when the last robot stops"},
			leaves: []leaf{{"assign", "how many", false}},
			variables: []description{
				{"assign", true, "9", "query", "tasks of each kind that each robot does", "whole, not negative; of each kind together exactly the number of the query"},
				{"finish", true, "1", "assign; data: robot_work_time_for_tasks", "when the last robot stops", "at least the sum of the times of each robot's tasks; minimize"},
			},
		}, true
	case "warehouse":
		return prose{
			title: "Warehouse",
			task: `# Warehouse

A robot in a warehouse has tasks to do, one after the other in the order of the query. Each
task can be done at certain stations only, which are in the data; one station may serve for
several tasks. The robot begins at the origin, goes to a station for the first task, to one
for the second, and so on, and in the end back to the origin.

Stations are numbers. distance gives the distance between two of them, the origin among
them. Find the stations, so that the way is as short as possible.
`,
			goal: `## Goal

The shortest way: the sum of the distances from the origin to the first station, from each
to the next, and from the last back to the origin.

## Decision variables

- for each task, the station at which it is done

## Constraints

- Each task is done at a station that can do it.
- The way goes through the stations in the order of the tasks: it leaves each station from
  where it came to. This is not said.
- It begins at the origin and ends there.
- Distances are those that distance gives.
`,
			total:  [2]string{"total_distance", "{objective}: a number, how long the way is"},
			leaves: []leaf{{"stations", "{visit->}: number of the station at which the task is done, in the order of the tasks", true}},
			variables: []description{
				{"visit", true, "one for each task and each station that can do it, and for the origin at the beginning and at the end", "query; data: station_task_info, origin_index", "1 where the task is done at the station, else 0", "of each task together 1"},
				{"leg", true, "one for each way between stations of two tasks that follow each other", "visit", "1 where the robot goes this way, else 0", "what arrives at a station is what is done there, and so is what leaves it"},
				{Total, true, "1", "leg; API: distance", "the sum of the distances of the legs", "minimize"},
			},
		}, true
	}
	return prose{}, false
}
