; Task allocation: the last robot finishes as early as possible.
(set-option :opt.elim_01 false)

; ── Decision variables; no quantity is negative ──
; The time at which the last robot finishes: the cost of the plan.
(declare-const finish Int) (assert (>= finish 0))

; Tasks of a kind that a robot does.
(declare-const assign.Robot_A.Task_A Int) (assert (>= assign.Robot_A.Task_A 0))
(declare-const assign.Robot_A.Task_B Int) (assert (>= assign.Robot_A.Task_B 0))
(declare-const assign.Robot_A.Task_C Int) (assert (>= assign.Robot_A.Task_C 0))
(declare-const assign.Robot_B.Task_A Int) (assert (>= assign.Robot_B.Task_A 0))
(declare-const assign.Robot_B.Task_B Int) (assert (>= assign.Robot_B.Task_B 0))
(declare-const assign.Robot_B.Task_C Int) (assert (>= assign.Robot_B.Task_C 0))
(declare-const assign.Robot_C.Task_A Int) (assert (>= assign.Robot_C.Task_A 0))
(declare-const assign.Robot_C.Task_B Int) (assert (>= assign.Robot_C.Task_B 0))
(declare-const assign.Robot_C.Task_C Int) (assert (>= assign.Robot_C.Task_C 0))

; ── Constraints ──
; The last robot finishes no earlier than each of the robots.
(assert (! (<= (+ (* 24 assign.Robot_A.Task_A) (* 89 assign.Robot_A.Task_B) (* 38 assign.Robot_A.Task_C)) finish)
   :named busy.Robot_A))
(assert (! (<= (+ (* 27 assign.Robot_B.Task_A) (* 58 assign.Robot_B.Task_B) (* 56 assign.Robot_B.Task_C)) finish)
   :named busy.Robot_B))
(assert (! (<= (+ (* 18 assign.Robot_C.Task_A) (* 57 assign.Robot_C.Task_B) (* 49 assign.Robot_C.Task_C)) finish)
   :named busy.Robot_C))

; Every task is done once, by one robot.
(assert (! (= (+ assign.Robot_A.Task_A assign.Robot_B.Task_A assign.Robot_C.Task_A) 54) :named tasks.Task_A))
(assert (! (= (+ assign.Robot_A.Task_B assign.Robot_B.Task_B assign.Robot_C.Task_B) 57) :named tasks.Task_B))
(assert (! (= (+ assign.Robot_A.Task_C assign.Robot_B.Task_C assign.Robot_C.Task_C) 74) :named tasks.Task_C))

; ── Objective: minimal cost ──
(minimize finish)

(check-sat)
(get-objectives)
(get-model)
