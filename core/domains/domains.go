// Package domains has the nine domains that LLMFP (Hao et al. 2024) plans in, in
// formulations of our own: what a model's formulations are held against.
//
// Five are one choice: [Coffee], [Workforce], [Facility], [TaskAllocation] and
// [Warehouse] make a [Program] of a domain's data and of what a query changes in it,
// which writes itself in SMT-LIB 2 for Z3 and in LP for HiGHS. Four have steps:
// [Blocksworld], [MysteryBlocksworld], [Movie] and [Gripper] are domains in PDDL, for
// core/strips.
//
// A [Set] is a domain's data set. It makes the files of a problem's folder of a query
// ([Set.Kit]), the given ones and those that LLMFP's stages make, and holds what somebody
// came to against the data set ([Set.Judge]).
package domains
