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

A coffee company buys beans from three suppliers with limited stocks. Two roasteries roast
the beans, light or dark, and ship the coffee to three cafes. Each cafe needs a given amount
of light coffee and a given amount of dark coffee. Amounts of beans and coffee are whole
units, and one unit of beans makes one unit of coffee.

The data contains the shipping cost per unit for each connection, and the roasting costs.
Plan the shipments and the roasting such that the total cost is minimal and every cafe
receives the coffee that it needs.
`,
			goal: `## Goal

Minimize the total cost: of shipping beans to the roasteries, of roasting them, and of
shipping coffee to the cafes.

## Decision variables

- units of beans shipped from each supplier to each roastery
- units of light coffee, and of dark coffee, that each roastery roasts
- units of light coffee, and of dark coffee, shipped from each roastery to each cafe

## Constraints

- No supplier ships more beans than its stock.
- Every cafe receives at least the light coffee and the dark coffee that it needs.
- No roastery roasts more coffee of both kinds together than it receives beans. The task
  implies this; without it, the cheapest plan buys no beans.
- No roastery ships more coffee of a kind than it roasts. The task implies this, too.
- All amounts are whole numbers, and none is negative.
`,
			total: [2]string{Total, "{objective}: a number, the total cost of shipping and roasting"},
			leaves: []leaf{
				{"ship", "whole units of beans", false},
				{"roast", "whole units", false},
				{"light", "whole units of light coffee", false},
				{"dark", "whole units of dark coffee", false},
			},
			variables: []description{
				{"ship", true, "6", "data: shipping_cost_from_supplier_to_roastery, capacity_in_supplier", "units of beans from each supplier to each roastery", "whole, not negative; of each supplier together at most its capacity"},
				{"roast", true, "4", "data: roasting_cost_light, roasting_cost_dark; ship", "units of light and of dark coffee that each roastery roasts", "whole, not negative; of each roastery together at most the beans that it receives"},
				{"light", true, "6", "data: shipping_cost_from_roastery_to_cafe, light_coffee_needed_for_cafe; roast", "units of light coffee from each roastery to each cafe", "whole, not negative; of each roastery together at most the units that it roasts; to each cafe together at least the units that it needs"},
				{"dark", true, "6", "data: shipping_cost_from_roastery_to_cafe, dark_coffee_needed_for_cafe; roast", "units of dark coffee from each roastery to each cafe", "whole, not negative; of each roastery together at most the units that it roasts; to each cafe together at least the units that it needs"},
				{Total, true, "1", "ship, roast, light, dark, and the costs of each", "the sum of units times cost", "minimize"},
			},
		}, true
	case "workforce":
		return prose{
			title: "Workforce",
			task: `# Workforce

Seven people work in shifts for two weeks. Each day needs exactly a given number of them.
Everybody is available on some of the days and is paid for each day of work. The data
contains the availability and the pay of each person and the number of people for each day.

Plan the days on which each person works, such that every day has the required number of
people and the total pay is minimal.
`,
			goal: `## Goal

Minimize the total pay.

## Decision variables

- for each worker and each day, whether the worker works on that day

## Constraints

- Each day has exactly the required number of workers.
- Nobody works on a day on which they are not available.
- Nobody works twice on the same day: the value for a worker and a day is yes or no.
`,
			total:  [2]string{"total_pay", "{objective}: a number, the total pay"},
			leaves: []leaf{{"work", "name of a day on which the worker works", true}},
			variables: []description{
				{"work", true, "one for each worker and each day on which the worker can work", "data: availability, work_requirement", "1 if the worker works on the day, else 0", "0 or 1; of each day together exactly the required number"},
				{Total, true, "1", "work; data: worker_pay", "the sum of the pay of all worked days", "minimize"},
			},
		}, true
	case "facility":
		return prose{
			title: "Facility",
			task: `# Facility

A company makes its product in five plants and ships it to four warehouses. An open plant
has a fixed cost, which does not depend on its production, and cannot ship more than its
capacity. The transport cost per thousand units depends on the plant and the warehouse.
Plants and warehouses are numbered from 0; amounts are in thousands of units and need not be
whole.

Each warehouse must receive exactly its demand. Plants may be closed. Decide which plants
are open and how much each plant ships to each warehouse, such that the sum of fixed costs
and transport costs is minimal.
`,
			goal: `## Goal

Minimize the total cost: the fixed costs of the open plants, and the transport costs.

## Decision variables

- for each plant, whether it is open
- thousands of units shipped from each plant to each warehouse

## Constraints

- Each warehouse receives exactly its demand.
- An open plant ships no more than its capacity.
- A closed plant ships nothing. The task implies this; without it, the cheapest plan closes
  all plants and ships from them.
- No amount is negative. Amounts need not be whole.
`,
			total: [2]string{Total, "{objective}: a number, the sum of fixed costs and transport costs"},
			leaves: []leaf{
				{"open", "number of a plant that is open", true},
				{"ship", "thousands of units", false},
			},
			variables: []description{
				{"open", true, "5", "data: fixedCosts, capacity", "whether each plant is open", "true or false"},
				{"ship", true, "20", "data: transCosts, demand; open", "thousands of units from each plant to each warehouse", "real, not negative; of each plant together at most its capacity if it is open, else 0; to each warehouse together exactly its demand"},
				{Total, true, "1", "open, ship; data: fixedCosts, transCosts", "the fixed costs of open plants, and amounts times transport costs", "minimize"},
			},
		}, true
	case "task_allocation":
		return prose{
			title: "Task allocation",
			task: `# Task allocation

Three robots work concurrently on tasks of three kinds. Each robot can do tasks of every
kind, one after the other, and needs a different time for each kind. The data contains these
times. The query states the number of tasks of each kind.

Assign the tasks to the robots such that the last robot finishes as early as possible.
`,
			goal: `## Goal

Minimize the time at which the last robot finishes.

## Decision variables

- the number of tasks of each kind that each robot does
- the time at which the last robot finishes

## Constraints

- Every task is done by one robot.
- The last robot finishes no earlier than any robot, whose time is the sum of the times of
  its tasks.
- Numbers of tasks are whole, and none is negative.
`,
			total:  [2]string{"finish", "{objective}: a number, the time at which the last robot finishes"},
			leaves: []leaf{{"assign", "number of tasks", false}},
			variables: []description{
				{"assign", true, "9", "query", "tasks of each kind that each robot does", "whole, not negative; of each kind together exactly the number of the query"},
				{"finish", true, "1", "assign; data: robot_work_time_for_tasks", "the time at which the last robot finishes", "at least the sum of the times of each robot's tasks; minimize"},
			},
		}, true
	case "warehouse":
		return prose{
			title: "Warehouse",
			task: `# Warehouse

A robot in a warehouse does tasks one after the other, in the order of the query. Each task
can be done only at certain stations, which are in the data; a station may serve for several
tasks. The robot begins at the origin, goes to a station for the first task, to a station for
the second task, and so on, and finally returns to the origin.

Stations are numbers. The function distance returns the distance between two stations or
between a station and the origin. Choose the stations such that the route is as short as
possible.
`,
			goal: `## Goal

Minimize the length of the route: the sum of the distances from the origin to the first
station, from each station to the next, and from the last station back to the origin.

## Decision variables

- for each task, the station at which it is done

## Constraints

- Each task is done at a station that can do it.
- The route visits the stations in the order of the tasks: the robot leaves from the station
  at which it arrived. The task implies this.
- The route begins and ends at the origin.
- Distances are the values of the function distance.
`,
			total:  [2]string{"total_distance", "{objective}: a number, the length of the route"},
			leaves: []leaf{{"stations", "{visit->}: number of the station at which the task is done, in the order of the tasks", true}},
			variables: []description{
				{"visit", true, "one for each task and each station that can do it, and for the origin at the beginning and at the end", "query; data: station_task_info, origin_index", "1 if the task is done at the station, else 0", "of each task together 1"},
				{"leg", true, "one for each connection between stations of two consecutive tasks", "visit", "1 if the robot uses this connection, else 0", "for each station, the sums of the arriving and of the leaving legs equal its visit"},
				{Total, true, "1", "leg; API: distance", "the sum of the distances of the legs", "minimize"},
			},
		}, true
	}
	return prose{}, false
}
