import { DIAGRAM_LIMITS } from '../limits.ts';
import { readFlowchart } from './flowchart.ts';
import { readSequence, type Sequence } from './sequence/read-sequence.ts';

/** A diagram for the library in its syntax, or a sequence diagram. */
export type DiagramSource = { kind: string } & (
  | {
      text: string;
      /** Whether the picture must contain every word, because this module does not parse the lines. */
      mustHoldWords: boolean;
    }
  | { sequence: Sequence }
);

const NAME = String.raw`(?:\[\*\]|[\w\p{L}-]+)`;
const STATE_LINES = [
  new RegExp(`^${NAME}\\s*-->\\s*${NAME}(?:\\s*:\\s*.+)?$`, 'u'),
  /^state\s+(?:"[^"]+"\s+as\s+)?[\w\p{L}]+\s*\{$/u,
  /^state\s+"[^"]+"\s+as\s+[\w\p{L}]+$/u,
  /^[\w\p{L}-]+\s*:\s*.+$/u,
  /^direction\s+(?:TD|TB|LR|BT|RL)$/,
  /^\}$/,
];
/**
 * Reads a mermaid block. The library ignores lines it does not understand, so only lines that this module
 * understands are passed to it.
 * @returns null if the diagram is too large or cannot be drawn faithfully
 */
export function readDiagram(source: string): DiagramSource | null {
  const lines = source
    .replace(/^\s*---\n[\s\S]*?\n---\n/, '')
    .split('\n')
    .map((line) => line.replace(/%%.*$/, '').trim())
    .filter((line) => line !== '');
  if (source.length > DIAGRAM_LIMITS.characters || lines.length > DIAGRAM_LIMITS.lines) return null;
  const [head = '', ...body] = lines;
  if (/^(?:graph|flowchart)\b/.test(head)) return diagram(readFlowchart(lines), '流程图');
  if (/^stateDiagram(?:-v2)?$/.test(head)) return diagram(readLines(head, body, STATE_LINES), '状态图');
  if (head === 'sequenceDiagram') {
    const sequence = readSequence(body);
    return sequence && { kind: '时序图', sequence };
  }
  if (head === 'classDiagram') return diagram(lines.join('\n'), '类图', true);
  return head === 'erDiagram' ? diagram(lines.join('\n'), '实体关系图', true) : null;
}

const readLines = (head: string, lines: readonly string[], known: readonly RegExp[]): string | null =>
  lines.length > 0 && lines.every((line) => known.some((pattern) => pattern.test(line)))
    ? [head, ...lines].join('\n')
    : null;

const diagram = (text: string | null, kind: string, mustHoldWords = false): DiagramSource | null =>
  text === null ? null : { text, kind, mustHoldWords };

/** Keywords of class and entity diagrams that do not appear in the picture. */
const SILENT = new Set('classDiagram erDiagram class direction TB TD BT LR RL namespace'.split(' '));

/** Whether `drawn` contains every word of `text`. */
export function holdsWords(drawn: string, text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => SILENT.has(word) || drawn.includes(word) || /^[ox]$/.test(word));
}
