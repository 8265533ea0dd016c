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

const heading = (level: number): BlockChoice => ({
  name: `标题 ${level}`,
  sign: '#'.repeat(level),
  words: `标题${level} bt${level} biaoti${level} h${level} heading${level}`,
  make: (state) => setHeading(state, level),
});

const callout = (name: string, kind: string, words: string): BlockChoice => ({
  name,
  sign: `::: ${kind}`,
  words: `${words} ${kind} callout`,
  make: (state) => insertCallout(state, kind),
});

const BLOCKS: readonly BlockChoice[] = [
  heading(2),
  heading(3),
  heading(4),
  {
    name: '列表',
    sign: '-',
    words: 'lb wxlb liebiao bullet list ul',
    make: (state) => toggleLines(state, 'bullet'),
  },
  {
    name: '有序列表',
    sign: '1.',
    words: '编号列表 yxlb bhlb youxuliebiao number ordered ol',
    make: (state) => toggleLines(state, 'number'),
  },
  {
    name: '任务列表',
    sign: '- [ ]',
    words: '待办 rwlb db renwuliebiao task todo checkbox',
    make: (state) => toggleLines(state, 'task'),
  },
  { name: '引用', sign: '>', words: 'yy yinyong quote', make: (state) => toggleLines(state, 'quote') },
  { name: '代码块', sign: '```', words: 'dmk daimakuai code', make: 'language' },
  {
    name: '公式',
    sign: '$$',
    words: '数学 gs sx gongshi shuxue math formula tex latex',
    make: insertFormula,
  },
  {
    name: '流程图',
    sign: 'mermaid',
    words: '图表 lct tb liuchengtu tubiao flowchart diagram mermaid',
    make: (state) => insertDiagram(state, 'flowchart'),
  },
  {
    name: '时序图',
    sign: 'mermaid',
    words: '图表 sxt tb shixutu tubiao sequence diagram mermaid',
    make: (state) => insertDiagram(state, 'sequence'),
  },
  { name: '表格', sign: '| |', words: 'bg biaoge table', make: insertTable },
  { name: '图片', sign: '![]()', words: 'tp tupian picture image photo', make: 'picture' },
  { name: '表情', sign: ':', words: 'bq biaoqing emoji smile', make: 'emoji' },
  { name: '分隔线', sign: '---', words: '分割线 fgx fengexian rule hr divider', make: insertRule },
  callout('提示块', 'tip', 'tsk tishikuai'),
  callout('注意块', 'warning', '警告块 zyk jgk zhuyikuai'),
  callout('折叠块', 'details', 'zdk zhediekuai fold'),
  {
    name: '名词解释',
    sign: ': ',
    words: '定义 mcjs dy mingcijieshi dingyi definition term dl',
    make: insertDefinition,
  },
  { name: '阅读全文线', sign: '<-- -->', words: '摘要 ydqwx yueduquanwenxian more', make: insertFold },
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
