;; Four-operator blocks in capitals, as the files of 2000 were written.
(DEFINE (DOMAIN BLOCKS)
  (:REQUIREMENTS :STRIPS :TYPING)
  (:TYPES BLOCK)
  (:PREDICATES (ON ?X - BLOCK ?Y - BLOCK)
	       (ONTABLE ?X - BLOCK)
	       (CLEAR ?X - BLOCK)
	       (HANDEMPTY)
	       (HOLDING ?X - BLOCK)
	       )

  (:ACTION PICK-UP
	     :PARAMETERS (?X - BLOCK)
	     :PRECONDITION (AND (CLEAR ?X) (ONTABLE ?X) (HANDEMPTY))
	     :EFFECT
	     (AND (NOT (ONTABLE ?X))
		   (NOT (CLEAR ?X))
		   (NOT (HANDEMPTY))
		   (HOLDING ?X)))
  (:ACTION PUT-DOWN
	     :PARAMETERS (?X - BLOCK)
	     :PRECONDITION (HOLDING ?X)
	     :EFFECT
	     (AND (NOT (HOLDING ?X))
		   (CLEAR ?X)
		   (HANDEMPTY)
		   (ONTABLE ?X)))
  (:ACTION STACK
	     :PARAMETERS (?X - BLOCK ?Y - BLOCK)
	     :PRECONDITION (AND (HOLDING ?X) (CLEAR ?Y))
	     :EFFECT
	     (AND (NOT (HOLDING ?X))
		   (NOT (CLEAR ?Y))
		   (CLEAR ?X)
		   (HANDEMPTY)
		   (ON ?X ?Y)))
  (:ACTION UNSTACK
	     :PARAMETERS (?X - BLOCK ?Y - BLOCK)
	     :PRECONDITION (AND (ON ?X ?Y) (CLEAR ?X) (HANDEMPTY))
	     :EFFECT
	     (AND (HOLDING ?X)
		   (CLEAR ?Y)
		   (NOT (CLEAR ?X))
		   (NOT (HANDEMPTY))
		   (NOT (ON ?X ?Y)))))

(DEFINE (PROBLEM BLOCKS-5-0)
(:DOMAIN BLOCKS)
(:OBJECTS D B A C E - BLOCK)
(:INIT (CLEAR C) (CLEAR E) (ONTABLE D) (ONTABLE E)
 (ON C A) (ON A B) (ON B D) (HANDEMPTY))
(:GOAL (AND (ON D C) (ON C B) (ON B E)))
)
