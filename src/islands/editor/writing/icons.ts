import bold from '../../../icons/bold.svg?raw';
import bullet from '../../../icons/list.svg?raw';
import check from '../../../icons/check.svg?raw';
import close from '../../../icons/x.svg?raw';
import code from '../../../icons/code.svg?raw';
import codeBlock from '../../../icons/square-code.svg?raw';
import emphasis from '../../../icons/italic.svg?raw';
import fold from '../../../icons/scissors-line-dashed.svg?raw';
import fullScreen from '../../../icons/maximize-2.svg?raw';
import heading from '../../../icons/heading.svg?raw';
import link from '../../../icons/link.svg?raw';
import more from '../../../icons/ellipsis.svg?raw';
import number from '../../../icons/list-ordered.svg?raw';
import picture from '../../../icons/image.svg?raw';
import plus from '../../../icons/plus.svg?raw';
import quote from '../../../icons/text-quote.svg?raw';
import redo from '../../../icons/redo-2.svg?raw';
import remove from '../../../icons/trash-2.svg?raw';
import rule from '../../../icons/minus.svg?raw';
import sideBySide from '../../../icons/columns-2.svg?raw';
import smallScreen from '../../../icons/minimize-2.svg?raw';
import strike from '../../../icons/strikethrough.svg?raw';
import table from '../../../icons/table.svg?raw';
import task from '../../../icons/list-todo.svg?raw';
import undo from '../../../icons/undo-2.svg?raw';

/** Icons used only in the editor, which therefore stay in its chunk. Sizes are in CSS pixels. */
export const editorIcons = {
  bold: { svg: bold, size: 18 },
  bullet: { svg: bullet, size: 18 },
  check: { svg: check, size: 16 },
  close: { svg: close, size: 14 },
  code: { svg: code, size: 18 },
  codeBlock: { svg: codeBlock, size: 18 },
  emphasis: { svg: emphasis, size: 18 },
  fold: { svg: fold, size: 18 },
  fullScreen: { svg: fullScreen, size: 17 },
  heading: { svg: heading, size: 18 },
  link: { svg: link, size: 18 },
  more: { svg: more, size: 18 },
  number: { svg: number, size: 18 },
  picture: { svg: picture, size: 18 },
  plus: { svg: plus, size: 16 },
  quote: { svg: quote, size: 18 },
  redo: { svg: redo, size: 18 },
  remove: { svg: remove, size: 17 },
  rule: { svg: rule, size: 18 },
  sideBySide: { svg: sideBySide, size: 17 },
  smallScreen: { svg: smallScreen, size: 17 },
  strike: { svg: strike, size: 18 },
  table: { svg: table, size: 18 },
  task: { svg: task, size: 18 },
  undo: { svg: undo, size: 18 },
};

export type EditorIcon = keyof typeof editorIcons;
