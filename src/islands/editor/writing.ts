/** Changes to the text that buttons and shortcuts make. */
export type CommandName =
  | 'bold'
  | 'emphasis'
  | 'strike'
  | 'code'
  | 'heading'
  | 'link'
  | 'quote'
  | 'bullet'
  | 'number'
  | 'task'
  | 'codeBlock'
  | 'table'
  | 'rule'
  | 'fold'
  | 'undo'
  | 'redo';

/** A pane that shows the text, source or preview. Lines count from 1, with their fraction. */
export interface LinedPane {
  /** What the writer points at or types in. */
  readonly element: HTMLElement;
  /** What scrolls; null while the pane is as high as its text and the page scrolls instead. */
  readonly scroller: HTMLElement | null;
  /** The line at `edge`, a height in the window. */
  lineAt(edge: number): number;
  /** Where in the window a line stands. */
  heightOf(line: number): number;
}

/** The text being written, as the rest of the editor sees it: CodeMirror arrives in a chunk of its own. */
export interface Writing extends LinedPane {
  run(command: CommandName): void;
  /** Shows another version, once the input method is done; `onChange` is not told. */
  show(content: string): void;
  focus(): void;
  /** Uploads pictures and puts them where the caret is now. */
  addPictures(files: readonly File[]): void;
}
