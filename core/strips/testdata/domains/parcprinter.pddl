(define (domain printer-small)
(:requirements :strips :typing :action-costs)
(:types resource sheet_t image_t location_t size_t side_t color_t)
(:constants
		Some_Feeder_Tray Some_Finisher_Tray Feeder-Color Color-Finisher Feeder-Mono Mono-Finisher - location_t
		Letter - size_t
		Front Back - side_t
		Color Black - color_t
		Color-RSRC Mono-RSRC - resource
)
(:predicates
		(Available ?r - resource)
		(Sideup ?s - sheet_t ?f - side_t)
		(Location ?s - sheet_t ?l - location_t)
		(Hasimage ?s - sheet_t ?f - side_t ?i - image_t)
		(Notprintedwith ?s - sheet_t ?f - side_t ?c - color_t)
		(Imagecolor ?i - image_t ?c - color_t)
		(Uninitialized)
)
(:functions (total-cost) - number)

(:action initialize
 :parameters ()
 :precondition (and
		(Uninitialized))
 :effect (and
		(not (Uninitialized))
		(Available Color-RSRC)
		(Available Mono-RSRC)
		(increase (total-cost) 0)))
(:action Feed-Color
 :parameters ( ?sheet - sheet_t)
 :precondition (and (Available Color-RSRC) (Location ?sheet Some_Feeder_Tray))
 :effect (and (Location ?sheet Feeder-Color) (Sideup ?sheet Front) (not (Location ?sheet Some_Feeder_Tray)) (increase (total-cost) 7999)))
(:action Feed-Mono
 :parameters ( ?sheet - sheet_t)
 :precondition (and (Available Mono-RSRC) (Location ?sheet Some_Feeder_Tray))
 :effect (and (Location ?sheet Feeder-Mono) (Sideup ?sheet Front) (not (Location ?sheet Some_Feeder_Tray)) (increase (total-cost) 3999)))
(:action Color-Print
 :parameters ( ?sheet - sheet_t ?face - side_t ?image - image_t ?c - color_t)
 :precondition (and (Available Color-RSRC) (Imagecolor ?image ?c) (Location ?sheet Feeder-Color) (Notprintedwith ?sheet ?face ?c) (Sideup ?sheet ?face))
 :effect (and (Location ?sheet Color-Finisher) (Hasimage ?sheet ?face ?image) (not (Location ?sheet Feeder-Color)) (not (Notprintedwith ?sheet ?face ?c)) (increase (total-cost) 224038)))
(:action Mono-Print
 :parameters ( ?sheet - sheet_t ?face - side_t ?image - image_t)
 :precondition (and (Available Mono-RSRC) (Imagecolor ?image Black) (Location ?sheet Feeder-Mono) (Notprintedwith ?sheet ?face Black) (Sideup ?sheet ?face))
 :effect (and (Location ?sheet Mono-Finisher) (Hasimage ?sheet ?face ?image) (not (Location ?sheet Feeder-Mono)) (not (Notprintedwith ?sheet ?face Black)) (increase (total-cost) 114749)))
(:action Invert
 :parameters ( ?sheet - sheet_t)
 :precondition (and (Location ?sheet Color-Finisher) (Sideup ?sheet Front))
 :effect (and (Location ?sheet Feeder-Mono) (Sideup ?sheet Back) (not (Location ?sheet Color-Finisher)) (not (Sideup ?sheet Front)) (increase (total-cost) 23670)))
(:action Stack-Color
 :parameters ( ?sheet - sheet_t)
 :precondition (and (Location ?sheet Color-Finisher))
 :effect (and (Location ?sheet Some_Finisher_Tray) (not (Location ?sheet Color-Finisher)) (increase (total-cost) 8000)))
(:action Stack-Mono
 :parameters ( ?sheet - sheet_t)
 :precondition (and (Location ?sheet Mono-Finisher))
 :effect (and (Location ?sheet Some_Finisher_Tray) (not (Location ?sheet Mono-Finisher)) (increase (total-cost) 8000)))
)

(define (problem PrintJob)
(:domain printer-small)
(:objects
		sheet1 - sheet_t
		sheet2 - sheet_t
		image-1 - image_t
		image-2 - image_t
		image-3 - image_t
)
(:init
		(Imagecolor image-1 Color)
		(Imagecolor image-2 Black)
		(Imagecolor image-3 Black)
		(Location sheet1 Some_Feeder_Tray)
		(Location sheet2 Some_Feeder_Tray)
		(Notprintedwith sheet1 Front Black)
		(Notprintedwith sheet1 Back Black)
		(Notprintedwith sheet1 Front Color)
		(Notprintedwith sheet2 Front Black)
		(Notprintedwith sheet2 Front Color)
		(Uninitialized)
		(= (total-cost) 0)
)
(:goal (and
		(Hasimage sheet1 Front image-1)
		(Hasimage sheet1 Back image-2)
		(Hasimage sheet2 Front image-3)
		(Location sheet1 Some_Finisher_Tray)
		(Location sheet2 Some_Finisher_Tray)
))
(:metric minimize (total-cost))
)
