/** A request to the layout worker: DOT source. */
export interface LayoutRequest {
  readonly id: number;
  readonly viz: string; // address of the engine
  readonly dot: string;
}

/** Its replies: the request arrived; the engine is loaded; then the layout, or the reason why there is none. */
export interface LayoutReply {
  readonly id: number;
  readonly stage?: "arrived" | "loaded";
  readonly layout?: Layout;
  readonly error?: string;
}

/** The part of Graphviz's JSON that the page reads: places in points, y upwards. */
export interface Layout {
  readonly bb: string; // "left,bottom,right,top"
  readonly objects?: readonly {
    readonly id?: string;
    readonly pos?: string;
    readonly width?: string;
    readonly height?: string;
  }[];
  readonly edges?: readonly {
    readonly id?: string;
    readonly pos?: string;
    readonly lp?: string;
    readonly label?: string;
  }[];
}
