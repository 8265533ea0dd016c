import bold from '../../icons/bold.svg?raw';
import bullet from '../../icons/list.svg?raw';
import check from '../../icons/check.svg?raw';
import close from '../../icons/x.svg?raw';
import code from '../../icons/code.svg?raw';
import codeBlock from '../../icons/square-code.svg?raw';
import emphasis from '../../icons/italic.svg?raw';
import fold from '../../icons/scissors-line-dashed.svg?raw';
import fullScreen from '../../icons/maximize-2.svg?raw';
import heading from '../../icons/heading.svg?raw';
import link from '../../icons/link.svg?raw';
import number from '../../icons/list-ordered.svg?raw';
import picture from '../../icons/image.svg?raw';
import plus from '../../icons/plus.svg?raw';
import quote from '../../icons/text-quote.svg?raw';
import redo from '../../icons/redo-2.svg?raw';
import remove from '../../icons/trash-2.svg?raw';
import rule from '../../icons/minus.svg?raw';
import sideBySide from '../../icons/columns-2.svg?raw';
import smallScreen from '../../icons/minimize-2.svg?raw';
import table from '../../icons/table.svg?raw';
import task from '../../icons/list-todo.svg?raw';
import undo from '../../icons/undo-2.svg?raw';
import { draw } from '../../components/icons.ts';

/** Icons of the editor, in its chunk alone; markup as in components/icons.ts. */
export const editorIcons = {
  bold: draw(bold, 18),
  bullet: draw(bullet, 18),
  check: draw(check, 16),
  close: draw(close, 14),
  code: draw(code, 18),
  codeBlock: draw(codeBlock, 18),
  emphasis: draw(emphasis, 18),
  fold: draw(fold, 18),
  fullScreen: draw(fullScreen, 17),
  heading: draw(heading, 18),
  link: draw(link, 18),
  number: draw(number, 18),
  picture: draw(picture, 18),
  plus: draw(plus, 16),
  quote: draw(quote, 18),
  redo: draw(redo, 18),
  remove: draw(remove, 17),
  rule: draw(rule, 18),
  sideBySide: draw(sideBySide, 17),
  smallScreen: draw(smallScreen, 17),
  table: draw(table, 18),
  task: draw(task, 18),
  undo: draw(undo, 18),
};

export type EditorIcon = keyof typeof editorIcons;
