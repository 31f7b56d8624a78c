(define (domain freecell)
  (:requirements :strips :typing)
  (:types card num suit)
  (:predicates (on ?c1 ?c2 - card)
	       (incell ?c - card)
	       (clear ?c - card)
	       (cellspace ?n - num)
	       (colspace ?n - num)
	       (home ?c - card)
	       (bottomcol ?c - card)
	       (canstack ?c1 ?c2 - card)
	       (value ?c - card ?n - num)
	       (successor ?n1 ?n0 - num)
	       (suit ?c - card ?s - suit))

;; from column to free cell
  (:action sendtofree
	:parameters (?card ?oldcard - card ?cells ?ncells - num)
	:precondition (and (clear ?card) (on ?card ?oldcard)
			   (cellspace ?cells) (successor ?cells ?ncells))
	:effect (and (incell ?card) (clear ?oldcard) (cellspace ?ncells)
		     (not (on ?card ?oldcard)) (not (clear ?card)) (not (cellspace ?cells))))

;; from the bottom of a column to a free cell
  (:action sendtofree-b
	:parameters (?card - card ?cells ?ncells ?cols ?ncols - num)
	:precondition (and (clear ?card) (bottomcol ?card) (cellspace ?cells)
			   (successor ?cells ?ncells) (colspace ?cols) (successor ?ncols ?cols))
	:effect (and (incell ?card) (colspace ?ncols) (cellspace ?ncells)
		     (not (bottomcol ?card)) (not (clear ?card))
		     (not (colspace ?cols)) (not (cellspace ?cells))))

  (:action sendtohome
	:parameters (?card ?oldcard - card ?suit - suit ?vcard - num ?homecard - card ?vhomecard - num)
	:precondition (and (clear ?card) (on ?card ?oldcard) (home ?homecard)
			   (suit ?card ?suit) (suit ?homecard ?suit) (value ?card ?vcard)
			   (value ?homecard ?vhomecard) (successor ?vcard ?vhomecard))
	:effect (and (home ?card) (clear ?oldcard)
		     (not (on ?card ?oldcard)) (not (home ?homecard)) (not (clear ?card))))

  (:action sendtohome-b
	:parameters (?card - card ?suit - suit ?vcard - num ?homecard - card ?vhomecard ?cols ?ncols - num)
	:precondition (and (clear ?card) (bottomcol ?card) (home ?homecard)
			   (suit ?card ?suit) (suit ?homecard ?suit) (value ?card ?vcard)
			   (value ?homecard ?vhomecard) (successor ?vcard ?vhomecard)
			   (colspace ?cols) (successor ?ncols ?cols))
	:effect (and (home ?card) (colspace ?ncols)
		     (not (home ?homecard)) (not (clear ?card)) (not (bottomcol ?card)) (not (colspace ?cols))))

  (:action homefromfreecell
	:parameters (?card - card ?suit - suit ?vcard - num ?homecard - card ?vhomecard ?cells ?ncells - num)
	:precondition (and (incell ?card) (home ?homecard) (suit ?card ?suit) (suit ?homecard ?suit)
			   (value ?card ?vcard) (value ?homecard ?vhomecard) (successor ?vcard ?vhomecard)
			   (cellspace ?cells) (successor ?ncells ?cells))
	:effect (and (home ?card) (cellspace ?ncells)
		     (not (incell ?card)) (not (cellspace ?cells)) (not (home ?homecard))))

  (:action newcolfromfreecell
	:parameters (?card - card ?cols ?ncols ?cells ?ncells - num)
	:precondition (and (incell ?card) (colspace ?cols) (cellspace ?cells)
			   (successor ?cols ?ncols) (successor ?ncells ?cells))
	:effect (and (bottomcol ?card) (clear ?card) (colspace ?ncols) (cellspace ?ncells)
		     (not (incell ?card)) (not (colspace ?cols)) (not (cellspace ?cells))))
)

(define (problem freecell-f1-c2-s2)
   (:domain freecell)
   (:objects
          S0 SA S2 - card
          H0 HA - card
          N0 N1 N2 - num
          S H - suit)
   (:init
     (successor n1 n0)
     (successor n2 n1)
     (cellspace n1)
     (colspace n0)
     (home s0)
     (home h0)
     (suit s0 s) (value s0 n0)
     (suit sa s) (value sa n1)
     (suit s2 s) (value s2 n2)
     (suit h0 h) (value h0 n0)
     (suit ha h) (value ha n1)
     (bottomcol s2) (on sa s2) (on ha sa) (clear ha)
   )
   (:goal (and (home s2) (home ha))))
