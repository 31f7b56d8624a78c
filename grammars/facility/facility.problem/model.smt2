; Facility: least cost of transport and open plants.
(set-option :opt.elim_01 false)

; ── Decision variables; no quantity is negative ──
; Whether a plant is open.
(declare-const open.0 Bool)
(declare-const open.1 Bool)
(declare-const open.2 Bool)
(declare-const open.3 Bool)
(declare-const open.4 Bool)

; Thousands of units from a plant to a warehouse; they need not be whole.
(declare-const ship.0.0 Real) (assert (>= ship.0.0 0.0))
(declare-const ship.0.1 Real) (assert (>= ship.0.1 0.0))
(declare-const ship.0.2 Real) (assert (>= ship.0.2 0.0))
(declare-const ship.0.3 Real) (assert (>= ship.0.3 0.0))
(declare-const ship.1.0 Real) (assert (>= ship.1.0 0.0))
(declare-const ship.1.1 Real) (assert (>= ship.1.1 0.0))
(declare-const ship.1.2 Real) (assert (>= ship.1.2 0.0))
(declare-const ship.1.3 Real) (assert (>= ship.1.3 0.0))
(declare-const ship.2.0 Real) (assert (>= ship.2.0 0.0))
(declare-const ship.2.1 Real) (assert (>= ship.2.1 0.0))
(declare-const ship.2.2 Real) (assert (>= ship.2.2 0.0))
(declare-const ship.2.3 Real) (assert (>= ship.2.3 0.0))
(declare-const ship.3.0 Real) (assert (>= ship.3.0 0.0))
(declare-const ship.3.1 Real) (assert (>= ship.3.1 0.0))
(declare-const ship.3.2 Real) (assert (>= ship.3.2 0.0))
(declare-const ship.3.3 Real) (assert (>= ship.3.3 0.0))
(declare-const ship.4.0 Real) (assert (>= ship.4.0 0.0))
(declare-const ship.4.1 Real) (assert (>= ship.4.1 0.0))
(declare-const ship.4.2 Real) (assert (>= ship.4.2 0.0))
(declare-const ship.4.3 Real) (assert (>= ship.4.3 0.0))

; ── Constraints ──
; An open plant ships no more than its capacity, a closed plant nothing; the task implies the latter.
(assert (! (<= (+ ship.0.0 ship.0.1 ship.0.2 ship.0.3) (ite open.0 20.0 0.0)) :named capacity.0))
(assert (! (<= (+ ship.1.0 ship.1.1 ship.1.2 ship.1.3) (ite open.1 22.0 0.0)) :named capacity.1))
(assert (! (<= (+ ship.2.0 ship.2.1 ship.2.2 ship.2.3) (ite open.2 17.0 0.0)) :named capacity.2))
(assert (! (<= (+ ship.3.0 ship.3.1 ship.3.2 ship.3.3) (ite open.3 19.0 0.0)) :named capacity.3))
(assert (! (<= (+ ship.4.0 ship.4.1 ship.4.2 ship.4.3) (ite open.4 18.0 0.0)) :named capacity.4))

; Every warehouse receives its demand.
(assert (! (= (+ ship.0.0 ship.1.0 ship.2.0 ship.3.0 ship.4.0) 15.0) :named demand.0))
(assert (! (= (+ ship.0.1 ship.1.1 ship.2.1 ship.3.1 ship.4.1) 18.0) :named demand.1))
(assert (! (= (+ ship.0.2 ship.1.2 ship.2.2 ship.3.2 ship.4.2) 14.0) :named demand.2))
(assert (! (= (+ ship.0.3 ship.1.3 ship.2.3 ship.3.3 ship.4.3) 20.0) :named demand.3))

; ── Constraints of the query ──
; Plant 4 is closed; if the question asks why it is not, the additional cost is the reason.
(assert (! (not open.4) :named query.open.4))

; ── Objective: minimal cost ──
(declare-const total_cost Real)
(assert (= total_cost (+
  ; the fixed cost of an open plant
  (ite open.0 12000.0 0.0) (ite open.1 15000.0 0.0) (ite open.2 17000.0 0.0) (ite open.3 13000.0 0.0) (ite open.4 16000.0 0.0)
  ; transport
  (* 4000.0 ship.0.0) (* 2500.0 ship.0.1) (* 1200.0 ship.0.2) (* 2200.0 ship.0.3)
  (* 2000.0 ship.1.0) (* 2600.0 ship.1.1) (* 1800.0 ship.1.2) (* 2600.0 ship.1.3)
  (* 3000.0 ship.2.0) (* 3400.0 ship.2.1) (* 2600.0 ship.2.2) (* 3100.0 ship.2.3)
  (* 2500.0 ship.3.0) (* 3000.0 ship.3.1) (* 4100.0 ship.3.2) (* 3700.0 ship.3.3)
  (* 4500.0 ship.4.0) (* 4000.0 ship.4.1) (* 3000.0 ship.4.2) (* 3200.0 ship.4.3)
)))
(minimize total_cost)

(check-sat)
(get-objectives)
(get-model)
