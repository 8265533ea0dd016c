import { pickedCompletion, type Completion, type CompletionResult } from '@codemirror/autocomplete';
import { isolateHistory } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import {
  insertCallout,
  insertDefinition,
  insertDiagram,
  insertFold,
  insertFormula,
  insertRule,
  insertTable,
} from '../commands/blocks.ts';
import { asking, type Question } from '../commands/asking.ts';
import { setHeading, toggleLines } from '../commands/lines.ts';
import { bestFirst } from '../pickers/best-first.ts';
import { isInCode } from './place.ts';

export interface BlockChoice {
  name: string;
  sign: string;
  /** Search terms in addition to its name: pinyin, its initials, English. */
  words: string;
  make: ((state: EditorState) => TransactionSpec) | Question;
}

const block = (name: string, sign: string, words: string, make: BlockChoice['make']): BlockChoice => ({
  name,
  sign,
  words,
  make,
});

const heading = (level: number): BlockChoice =>
  block(
    `标题 ${level}`,
    '#'.repeat(level),
    `标题${level} bt${level} biaoti${level} h${level} heading${level}`,
    (state) => setHeading(state, level),
  );

const callout = (name: string, kind: string, words: string): BlockChoice =>
  block(name, `::: ${kind}`, `${words} ${kind} callout`, (state) => insertCallout(state, kind));

const BLOCKS: readonly BlockChoice[] = [
  heading(2),
  heading(3),
  heading(4),
  block('列表', '-', 'lb wxlb liebiao bullet list ul', (state) => toggleLines(state, 'bullet')),
  block('有序列表', '1.', '编号列表 yxlb bhlb youxuliebiao number ordered ol', (state) =>
    toggleLines(state, 'number'),
  ),
  block('任务列表', '- [ ]', '待办 rwlb db renwuliebiao task todo checkbox', (state) =>
    toggleLines(state, 'task'),
  ),
  block('引用', '>', 'yy yinyong quote', (state) => toggleLines(state, 'quote')),
  block('代码块', '```', 'dmk daimakuai code', 'language'),
  block('公式', '$$', '数学 gs sx gongshi shuxue math formula tex latex', insertFormula),
  block('流程图', 'mermaid', '图表 lct tb liuchengtu tubiao flowchart diagram mermaid', (state) =>
    insertDiagram(state, 'flowchart'),
  ),
  block('时序图', 'mermaid', '图表 sxt tb shixutu tubiao sequence diagram mermaid', (state) =>
    insertDiagram(state, 'sequence'),
  ),
  block('表格', '| |', 'bg biaoge table', insertTable),
  block('图片', '![]()', 'tp tupian picture image photo', 'picture'),
  block('表情', ':', 'bq biaoqing emoji smile', 'emoji'),
  block('分隔线', '---', '分割线 fgx fengexian rule hr divider', insertRule),
  callout('提示块', 'tip', 'tsk tishikuai'),
  callout('注意块', 'warning', '警告块 zyk jgk zhuyikuai'),
  callout('折叠块', 'details', 'zdk zhediekuai fold'),
  block('名词解释', ': ', '定义 mcjs dy mingcijieshi dingyi definition term dl', insertDefinition),
  block('阅读全文线', '<-- -->', '摘要 ydqwx yueduquanwenxian more', insertFold),
];

export const blockChoices = (query: string): BlockChoice[] =>
  bestFirst(BLOCKS, query.toLowerCase(), ({ name, words }) => [name, ...words.split(' ')]);

/**
 * Trigger character at the start of an otherwise empty line, and the query. Chinese keyboards type `、` or
 * `／` with the same key; no sentence starts with these.
 */
const CALLED = /^(?:[ \t]*[/／]|、)([^\s/／、]{0,12})$/;

/** Returns the position and query of a block menu at `at`; null if there is no trigger. */
export function blockCallAt(state: EditorState, at: number): { from: number; query: string } | null {
  const line = state.doc.lineAt(at);
  const found = CALLED.exec(line.text.slice(0, at - line.from));
  if (!found || line.text.slice(at - line.from).trim() !== '' || isInCode(state, at)) return null;
  const [typed, query = ''] = found;
  return { from: line.from + typed.length - query.length - 1, query };
}

export function blocksAt(state: EditorState, at: number): CompletionResult | null {
  const call = blockCallAt(state, at);
  if (!call) return null;
  const options = blockChoices(call.query).map(({ name, sign, make }): Completion => ({
    label: name,
    detail: sign,
    apply: (view, completion, from, to) => begin(view, completion, make, from, to),
  }));
  return options.length === 0 ? null : { from: call.from, options, filter: false };
}

function begin(
  view: EditorView,
  completion: Completion,
  make: BlockChoice['make'],
  from: number,
  to: number,
): void {
  const annotations = [pickedCompletion.of(completion), isolateHistory.of('full')];
  const removal: TransactionSpec = { changes: { from, to }, userEvent: 'input.complete', annotations };
  if (typeof make === 'string') {
    view.dispatch(removal);
    view.state.facet(asking)(make);
  } else {
    view.dispatch(removal, { ...make(view.state.update(removal).state), sequential: true });
  }
}
