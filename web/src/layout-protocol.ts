/** A question to the layout worker: Graphviz source to lay out. */
export interface LayoutRequest {
  readonly id: number;
  readonly viz: string; // address of the engine
  readonly dot: string;
}

/** Its answer: that it begins; then the layout, or why there is none. */
export interface LayoutReply {
  readonly id: number;
  readonly begun?: true;
  readonly layout?: Layout;
  readonly error?: string;
}

/** What we read of Graphviz's JSON: places in points, y upwards. */
export interface Layout {
  readonly bb: string; // "left,bottom,right,top"
  readonly objects?: readonly { readonly id?: string; readonly pos?: string; readonly width?: string; readonly height?: string }[];
  readonly edges?: readonly { readonly id?: string; readonly pos?: string; readonly lp?: string }[];
}
