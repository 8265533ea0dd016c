import type { Outline } from '../outline/outline.ts';
import type { MoveWay, NotMoved } from '../commands/picture-order.ts';
import type { CommandName } from './tools.ts';
import type { TableChange } from '../commands/tables.ts';
import type { PictureSource } from '../pictures/picture-source.ts';

/** Pane with the source or the preview. Lines count from 1 and may be fractional. */
export interface LinedPane {
  /** Element whose pointer and key events make the pane lead. */
  readonly element: HTMLElement;
  /** The scrolling element; null if the pane is as high as its text and the page scrolls. */
  readonly scroller: HTMLElement | null;
  /** Returns the line at `edge`, a height in the viewport. */
  lineAt(edge: number): number;
  /** Returns the height of a line in the viewport. */
  heightOf(line: number): number;
}

/** Interface of the text editor for the other components, because CodeMirror is in a separate chunk. */
export interface Writing extends LinedPane {
  run(command: CommandName): void;
  /** Shows another version after input-method composition has ended. Does not call `onChange`. */
  show(content: string): void;
  /** Language of the code block at the caret, '' for no language; null outside of code blocks. */
  readonly language: string | null;
  /** Changes the language of the code block at the caret, or inserts a code block with the caret inside. */
  setLanguage(language: string): void;
  changeTable(change: TableChange): void;
  focus(): void;
  /** Opens the panel to find and replace, and focuses it. */
  find(): void;
  focusParagraph(isOn: boolean): void;
  /** Reports the outline now and after each change. Returns a function that stops it. */
  watchOutline(listener: (outline: Outline) => void): () => void;
  goToHeading(index: number): void;
  /** Inserts markdown at the caret as a separate step of the history. */
  insert(markdown: string): void;
  /** Scrolls the caret into view by the smallest distance. */
  reveal(): void;
  addPictures(files: readonly File[]): void;
  /** Changes the picture last passed to `onPicture`. */
  changePicture(changed: Partial<PictureSource>): void;
  /**
   * Moves that picture, which must be in a separate paragraph, over the adjacent block. Returns why it
   * cannot, or null.
   */
  movePicture(way: MoveWay): NotMoved | null;
  /** Uploads a picture that replaces the one at `url`. */
  replacePicture(url: string, file: File): void;
  closePicture(): void;
  /** Replaces the URL of a picture from another site everywhere in the text. */
  changeAddress(address: string, url: string): void;
}
