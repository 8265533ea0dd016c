import type { Outline } from './outline/outline.ts';
import type { MoveWay, NotMoved } from './commands/picture-order.ts';
import type { PictureSource } from './picture-source.ts';

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
  | 'picture'
  | 'emoji'
  | 'rule'
  | 'fold'
  | 'undo'
  | 'redo';

/** What can be done to a table, at the cell of the caret. */
export type TableChange =
  | 'rowAbove'
  | 'rowBelow'
  | 'columnBefore'
  | 'columnAfter'
  | 'alignStart'
  | 'alignCenter'
  | 'alignEnd'
  | 'removeRow'
  | 'removeColumn'
  | 'removeTable';

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
  /** The language of the code block around the caret, '' for none; null where there is no block. */
  readonly language: string | null;
  /** Gives that block another language, or inserts a block, the caret inside. */
  setLanguage(language: string): void;
  /** Changes the table around the caret; nothing where there is none. */
  changeTable(change: TableChange): void;
  focus(): void;
  /** Lets the paragraph at the caret stand out, or all alike again. */
  focusParagraph(isOn: boolean): void;
  /** Tells the outline now and whenever it has changed. Returns its end. */
  watchOutline(told: (outline: Outline) => void): () => void;
  /** Puts the caret into the heading at `index` of the outline, and the heading at the top. */
  goToHeading(index: number): void;
  /** Puts markdown at the caret, as a step of its own. */
  insert(markdown: string): void;
  /** Scrolls as little as brings the caret into sight. */
  reveal(): void;
  /** Uploads pictures and puts them where the caret is now. */
  addPictures(files: readonly File[]): void;
  /** Changes the picture that `onPicture` has told of. */
  changePicture(changed: Partial<PictureSource>): void;
  /** Moves that picture, a paragraph of its own, over what is beside it; why not, or null where it was. */
  movePicture(way: MoveWay): NotMoved | null;
  /** Uploads a picture and puts it in place of the one at `url`. */
  replacePicture(url: string, file: File): void;
  /** Tells no more of the current picture. */
  closePicture(): void;
  /** Puts `url` in place of a picture's address on another site, wherever the text shows that picture. */
  changeAddress(address: string, url: string): void;
}
