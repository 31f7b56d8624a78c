; Coffee: least cost of shipping and roasting.
(set-option :opt.elim_01 false)

; ── Decision variables; no quantity is negative ──
; Units of beans from a supplier to a roastery.
(declare-const ship.supplier1.roastery1 Int) (assert (>= ship.supplier1.roastery1 0))
(declare-const ship.supplier1.roastery2 Int) (assert (>= ship.supplier1.roastery2 0))
(declare-const ship.supplier2.roastery1 Int) (assert (>= ship.supplier2.roastery1 0))
(declare-const ship.supplier2.roastery2 Int) (assert (>= ship.supplier2.roastery2 0))
(declare-const ship.supplier3.roastery1 Int) (assert (>= ship.supplier3.roastery1 0))
(declare-const ship.supplier3.roastery2 Int) (assert (>= ship.supplier3.roastery2 0))

; Units of coffee of a kind that a roastery roasts.
(declare-const roast.light.roastery1 Int) (assert (>= roast.light.roastery1 0))
(declare-const roast.light.roastery2 Int) (assert (>= roast.light.roastery2 0))
(declare-const roast.dark.roastery1 Int) (assert (>= roast.dark.roastery1 0))
(declare-const roast.dark.roastery2 Int) (assert (>= roast.dark.roastery2 0))

; Units of light coffee from a roastery to a cafe.
(declare-const light.roastery1.cafe1 Int) (assert (>= light.roastery1.cafe1 0))
(declare-const light.roastery1.cafe2 Int) (assert (>= light.roastery1.cafe2 0))
(declare-const light.roastery1.cafe3 Int) (assert (>= light.roastery1.cafe3 0))
(declare-const light.roastery2.cafe1 Int) (assert (>= light.roastery2.cafe1 0))
(declare-const light.roastery2.cafe2 Int) (assert (>= light.roastery2.cafe2 0))
(declare-const light.roastery2.cafe3 Int) (assert (>= light.roastery2.cafe3 0))

; Units of dark coffee from a roastery to a cafe.
(declare-const dark.roastery1.cafe1 Int) (assert (>= dark.roastery1.cafe1 0))
(declare-const dark.roastery1.cafe2 Int) (assert (>= dark.roastery1.cafe2 0))
(declare-const dark.roastery1.cafe3 Int) (assert (>= dark.roastery1.cafe3 0))
(declare-const dark.roastery2.cafe1 Int) (assert (>= dark.roastery2.cafe1 0))
(declare-const dark.roastery2.cafe2 Int) (assert (>= dark.roastery2.cafe2 0))
(declare-const dark.roastery2.cafe3 Int) (assert (>= dark.roastery2.cafe3 0))

; ── Constraints ──
; No supplier ships more beans than its stock.
(assert (! (<= (+ ship.supplier1.roastery1 ship.supplier1.roastery2) 150) :named supply.supplier1))
(assert (! (<= (+ ship.supplier2.roastery1 ship.supplier2.roastery2) 50) :named supply.supplier2))
(assert (! (<= (+ ship.supplier3.roastery1 ship.supplier3.roastery2) 100) :named supply.supplier3))

; No roastery roasts more than the beans that it receives; the task implies this.
(assert (! (<= (+ roast.light.roastery1 roast.dark.roastery1) (+ ship.supplier1.roastery1 ship.supplier2.roastery1 ship.supplier3.roastery1))
   :named beans.roastery1))
(assert (! (<= (+ roast.light.roastery2 roast.dark.roastery2) (+ ship.supplier1.roastery2 ship.supplier2.roastery2 ship.supplier3.roastery2))
   :named beans.roastery2))

; No roastery ships more of a kind than it roasts; the task implies this.
(assert (! (<= (+ light.roastery1.cafe1 light.roastery1.cafe2 light.roastery1.cafe3) roast.light.roastery1) :named coffee.light.roastery1))
(assert (! (<= (+ light.roastery2.cafe1 light.roastery2.cafe2 light.roastery2.cafe3) roast.light.roastery2) :named coffee.light.roastery2))
(assert (! (<= (+ dark.roastery1.cafe1 dark.roastery1.cafe2 dark.roastery1.cafe3) roast.dark.roastery1) :named coffee.dark.roastery1))
(assert (! (<= (+ dark.roastery2.cafe1 dark.roastery2.cafe2 dark.roastery2.cafe3) roast.dark.roastery2) :named coffee.dark.roastery2))

; Every cafe receives the coffee of both kinds that it needs.
(assert (! (>= (+ light.roastery1.cafe1 light.roastery2.cafe1) 20) :named demand.light.cafe1))
(assert (! (>= (+ light.roastery1.cafe2 light.roastery2.cafe2) 30) :named demand.light.cafe2))
(assert (! (>= (+ light.roastery1.cafe3 light.roastery2.cafe3) 40) :named demand.light.cafe3))
(assert (! (>= (+ dark.roastery1.cafe1 dark.roastery2.cafe1) 20) :named demand.dark.cafe1))
(assert (! (>= (+ dark.roastery1.cafe2 dark.roastery2.cafe2) 20) :named demand.dark.cafe2))
(assert (! (>= (+ dark.roastery1.cafe3 dark.roastery2.cafe3) 100) :named demand.dark.cafe3))

; ── Constraints of the query ──
; cafe2 needs 39 units of light coffee instead of 30: 29 % more, in whole units.
; cafe2 needs 26 units of dark coffee instead of 20: 29 % more, in whole units.
(assert (! (>= (+ light.roastery1.cafe2 light.roastery2.cafe2) 39) :named query.demand.light.cafe2))
(assert (! (>= (+ dark.roastery1.cafe2 dark.roastery2.cafe2) 26) :named query.demand.dark.cafe2))

; ── Objective: minimal cost ──
(declare-const total_cost Int)
(assert (= total_cost (+
  ; shipping beans to the roasteries
  (* 5 ship.supplier1.roastery1) (* 4 ship.supplier1.roastery2)
  (* 6 ship.supplier2.roastery1) (* 3 ship.supplier2.roastery2)
  (* 2 ship.supplier3.roastery1) (* 7 ship.supplier3.roastery2)
  ; roasting
  (* 3 roast.light.roastery1) (* 5 roast.light.roastery2)
  (* 5 roast.dark.roastery1) (* 6 roast.dark.roastery2)
  ; shipping light coffee to the cafes
  (* 5 light.roastery1.cafe1) (* 3 light.roastery1.cafe2) (* 6 light.roastery1.cafe3)
  (* 4 light.roastery2.cafe1) (* 5 light.roastery2.cafe2) (* 2 light.roastery2.cafe3)
  ; shipping dark coffee to the cafes
  (* 5 dark.roastery1.cafe1) (* 3 dark.roastery1.cafe2) (* 6 dark.roastery1.cafe3)
  (* 4 dark.roastery2.cafe1) (* 5 dark.roastery2.cafe2) (* 2 dark.roastery2.cafe3)
)))
(minimize total_cost)

(check-sat)
(get-objectives)
(get-model)
