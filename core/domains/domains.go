// Package domains provides reference formulations of the nine domains of LLMFP (Hao et
// al. 2024). Formulations that a model writes are compared with them.
//
// Five domains are single-step optimisation problems. [Coffee], [Workforce], [Facility],
// [TaskAllocation] and [Warehouse] turn the domain's data and a query's changes into a
// [Program], in SMT-LIB 2 for Z3 and in LP for HiGHS. Four have steps: [Blocksworld],
// [MysteryBlocksworld], [Movie] and [Gripper] are domains in PDDL, for core/strips.
//
// A [Set] is the data set of a domain. [Set.Formulation] returns the files of a query's
// problem, the given ones and those of LLMFP's stages; [Set.Judge] compares a result
// with the data set.
package domains
