import bold from 'lucide-static/icons/bold.svg?raw';
import bullet from 'lucide-static/icons/list.svg?raw';
import check from 'lucide-static/icons/check.svg?raw';
import close from 'lucide-static/icons/x.svg?raw';
import code from 'lucide-static/icons/code.svg?raw';
import codeBlock from 'lucide-static/icons/square-code.svg?raw';
import emphasis from 'lucide-static/icons/italic.svg?raw';
import fold from 'lucide-static/icons/scissors-line-dashed.svg?raw';
import fullScreen from 'lucide-static/icons/maximize-2.svg?raw';
import heading from 'lucide-static/icons/heading.svg?raw';
import link from 'lucide-static/icons/link.svg?raw';
import number from 'lucide-static/icons/list-ordered.svg?raw';
import picture from 'lucide-static/icons/image.svg?raw';
import plus from 'lucide-static/icons/plus.svg?raw';
import quote from 'lucide-static/icons/text-quote.svg?raw';
import redo from 'lucide-static/icons/redo-2.svg?raw';
import remove from 'lucide-static/icons/trash-2.svg?raw';
import rule from 'lucide-static/icons/minus.svg?raw';
import sideBySide from 'lucide-static/icons/columns-2.svg?raw';
import smallScreen from 'lucide-static/icons/minimize-2.svg?raw';
import table from 'lucide-static/icons/table.svg?raw';
import task from 'lucide-static/icons/list-todo.svg?raw';
import undo from 'lucide-static/icons/undo-2.svg?raw';
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
