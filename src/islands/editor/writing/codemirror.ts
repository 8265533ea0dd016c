import { Annotation, EditorState, Prec, type Extension, type Transaction } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, keymap, placeholder } from '@codemirror/view';
import { closeBrackets, closeBracketsKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { CONTENT_ERROR_ID, CONTENT_HELP_ID } from '../../../lib/shared/ids.ts';
import { BOUNDS, countCharacters } from '../../../lib/contract/rules/bounds.ts';
import { startUpload } from '../../../lib/stores/pictures/uploads.ts';
import { asking, type Question } from '../commands/asking.ts';
import { languageAround, setLanguage } from '../commands/code-blocks.ts';
import { breakKeys, commandKeys, commands } from '../commands/commands.ts';
import { movePictures } from '../commands/picture-order.ts';
import { changeTable } from '../commands/tables.ts';
import { wholeMarks } from '../commands/mark-levels.ts';
import { completions } from '../completions/completions.ts';
import { findPanel } from '../find/find-panel.ts';
import { goToHeading, outliner, watchOutline } from '../outline/outline.ts';
import { insertMarkdown } from '../paste/insert.ts';
import { pasting } from '../paste/paste.ts';
import { storesEmbedded } from '../pictures/embedded.ts';
import { addPictures, changeAddress, endDeleted, pictures, whenUncomposed } from '../pictures/pictures.ts';
import {
  changePicture,
  closePicture,
  currentPicture,
  pictureAtCaret,
  replaceAddress,
  type PictureAt,
} from '../pictures/picture-at-caret.ts';
import { pictureDrag } from '../pictures/picture-drag.ts';
import { hints } from './hints.ts';
import { articleLanguage } from './markdown-language.ts';
import { focusParagraph, paragraphFocus } from './paragraph-focus.ts';
import { adoptStyles, foldLines, tagsInBlocks, theme } from './theme.ts';
import type { Writing } from './writing.ts';

/** Chinese translations of CodeMirror's phrases. */
const phrases = {
  // @codemirror/search
  close: '关闭',
  'current match': '当前匹配',
  'replaced $ matches': '替换了 $ 处',
  'replaced match on line $': '替换了第 $ 行的一处',
  'on line': '位于第',
  'Go to line': '转到行',
  go: '转到',
  // @codemirror/view, /state, /commands
  'Control character': '控制字符',
  'Selection deleted': '已删除所选',
  // @codemirror/autocomplete
  Completions: '可以插入的',
  // @codemirror/lint
  Diagnostics: '提示',
  'No diagnostics': '没有提示',
};

export interface WritingOptions {
  parent: HTMLElement;
  /** Initial text. Later changes go through `Writing.show`. */
  content: string;
  /** Called with the whole text after each change except those by `show`. */
  onChange(content: string): void;
  onRefused(sentence: string): void;
  /** Called with the picture whose controls to show, or null to hide them. */
  onPicture(picture: PictureAt | null): void;
  onPasted(): void;
  /** Viewport heights of the areas that other elements cover at the top and the bottom. */
  covered(): { top: number; bottom: number };
  /** Called when a command needs input first. The answer is passed to `Writing`. */
  onAsk(question: Question): void;
}

const shown = Annotation.define<boolean>();
let hasStyles = false;

/**
 * Starts CodeMirror on a text. Returns the interface for the rest of the editor, and a function that destroys
 * it.
 */
export function openWriting(options: WritingOptions): { writing: Writing; close(): void } {
  if (!hasStyles) adoptStyles();
  hasStyles = true;
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({ doc: options.content, extensions: extensionsOf(options) }),
  });
  return { writing: writingOf(view), close: () => view.destroy() };
}

function extensionsOf(options: WritingOptions): Extension {
  const { onChange, onRefused, onPasted, onPicture, covered, onAsk } = options;
  return [
    EditorState.phrases.of(phrases),
    asking.of(onAsk),
    EditorView.contentAttributes.of({
      // The element is focusable anyway; this is for code that reads the attribute.
      tabindex: '0',
      'aria-label': '正文',
      'aria-describedby': `${CONTENT_ERROR_ID} ${CONTENT_HELP_ID}`,
      autocapitalize: 'sentences',
      spellcheck: 'false',
      dir: 'auto',
    }),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.scrollMargins.of((view) => {
      const { top, bottom: all } = covered();
      // CodeMirror itself subtracts what a phone's keyboard covers.
      const hidden = document.documentElement.clientHeight - (visualViewport?.height ?? Infinity);
      const bottom = Math.max(0, all - Math.max(0, hidden));
      // Other elements cover the text only if the page scrolls, not if the editor has its own scroller
      // between them.
      if (scrollsItself(view)) return null;
      if (completionStatus(view.state) === null) return { top, bottom };
      // CodeMirror places menus as if the margins covered the text itself, which may start below them.
      const begin = view.dom.getBoundingClientRect().top;
      return { top: Math.min(Math.max(top - begin, 0), top), bottom };
    }),
    placeholder('写点什么…… 支持 Markdown，图片可以直接粘贴或拖进来'),
    history(),
    drawSelection(),
    dropCursor(),
    closeBrackets(),
    highlightSelectionMatches(),
    // Literal: `\nabla` is no line break.
    search({ createPanel: findPanel, literal: true }),
    articleLanguage,
    foldLines,
    tagsInBlocks,
    wholeMarks,
    paragraphFocus,
    outliner,
    completions(covered),
    hints,
    Prec.highest(keymap.of(breakKeys)),
    keymap.of([
      ...commandKeys,
      ...closeBracketsKeymap,
      ...searchKeymap,
      ...historyKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    refuseTooMuch(onRefused),
    pictureDrag,
    pictures,
    storesEmbedded,
    pasting(),
    pictureAtCaret,
    endDeleted,
    theme,
    EditorView.updateListener.of(({ docChanged, startState, state, transactions }) => {
      const picture = currentPicture(state);
      if (picture !== currentPicture(startState)) onPicture(picture);
      if (docChanged && !transactions.some((each) => each.annotation(shown))) onChange(state.doc.toString());
      if (docChanged && transactions.some(isPaste)) onPasted();
    }),
  ];
}

const isPaste = (transaction: Transaction) =>
  transaction.isUserEvent('input.paste') || transaction.isUserEvent('input.drop');

/** Rejects a paste or drop beyond the limit as a whole: the end of truncated text would be lost unnoticed. */
function refuseTooMuch(onRefused: (sentence: string) => void): Extension {
  const [, most] = BOUNDS.content;
  return EditorState.transactionFilter.of((transaction) => {
    const { newDoc, startState } = transaction;
    if (!isPaste(transaction) || newDoc.length <= most || newDoc.length <= startState.doc.length)
      return transaction;
    const count = countCharacters(newDoc.toString());
    if (count <= most) return transaction;
    const format = (number: number) => number.toLocaleString('zh-CN');
    onRefused(`正文不能超过 ${format(most)} 个字符，加上这段会有 ${format(count)} 个，所以没有放进来`);
    return [];
  });
}

const scrollsItself = ({ scrollDOM }: EditorView) => scrollDOM.scrollHeight > scrollDOM.clientHeight + 1;

function writingOf(view: EditorView): Writing {
  return {
    element: view.dom,
    get scroller() {
      return scrollsItself(view) ? view.scrollDOM : null;
    },
    lineAt(edge) {
      const height = edge - view.documentTop;
      const block = view.lineBlockAtHeight(height);
      const share = block.height > 0 ? (height - block.top) / block.height : 0;
      return view.state.doc.lineAt(block.from).number + Math.min(Math.max(share, 0), 1);
    },
    heightOf(line) {
      const number = Math.min(Math.max(Math.floor(line), 1), view.state.doc.lines);
      const block = view.lineBlockAt(view.state.doc.line(number).from);
      return view.documentTop + block.top + (line - number) * block.height;
    },
    run(command) {
      commands[command](view);
      view.focus();
    },
    show(content) {
      whenUncomposed(view, () => {
        if (content === view.state.doc.toString()) return;
        const changes = { from: 0, to: view.state.doc.length, insert: content };
        view.dispatch({ changes, annotations: shown.of(true) });
      });
    },
    get language() {
      return languageAround(view.state);
    },
    setLanguage: (language) => view.dispatch(setLanguage(view.state, language)),
    changeTable: (change) => view.dispatch(changeTable(view.state, change)),
    focus: () => view.focus(),
    find: () => void openSearchPanel(view),
    watchOutline: (listener) => watchOutline(view, listener),
    goToHeading: (index) => goToHeading(view, index),
    focusParagraph: (isOn) => focusParagraph(view, isOn),
    insert(markdown) {
      whenUncomposed(view, () => {
        const { from, to } = view.state.selection.main;
        view.dispatch(insertMarkdown(view.state, from, to, markdown));
        view.focus();
      });
    },
    reveal: () => view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main) }),
    addPictures: (files) => addPictures(view, files),
    changePicture: (changed) => changePicture(view, changed),
    movePicture: (way) => {
      const picture = currentPicture(view.state);
      const moved = picture && !view.composing ? movePictures(view.state, picture, way) : null;
      if (moved === null || typeof moved === 'string') return moved;
      view.dispatch(moved);
      return null;
    },
    replacePicture: (url, file) => {
      startUpload(file, (next) => {
        if (next !== null) whenUncomposed(view, () => replaceAddress(view, url, next));
      });
    },
    closePicture: () => closePicture(view),
    changeAddress: (address, url) => changeAddress(view, address, url),
  };
}
