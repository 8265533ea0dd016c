import type { Element, Root, RootContent } from 'hast';
import { DIAGRAM_LIMITS } from '../limits.ts';
import { codeOf, element, isElement, textOf } from '../elements.ts';
import { loadOnce } from '../load-once.ts';
import { walk } from '../walk.ts';
import { readFlowchart } from './flowchart.ts';
import { readSequence, type Sequence } from './sequence/read-sequence.ts';
import { drawSequence } from './sequence/draw-sequence.ts';
import { numbered, readSvg } from './svg.ts';

/** A diagram for the library in its syntax, or a sequence diagram. */
type DiagramSource = { kind: string } & (
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
function holdsWords(drawn: string, text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => SILENT.has(word) || drawn.includes(word) || /^[ox]$/.test(word));
}

type Draw = (typeof import('beautiful-mermaid'))['renderMermaidSVG'];

export type KnownDiagrams = ReadonlyMap<string, Element | null>;

export const mayHaveDiagrams = (source: string): boolean => /mermaid/i.test(source);

/** Loads and warms up the diagram library. */
export const loadDiagrams = loadOnce(async () => {
  const { renderMermaidSVG } = await import('beautiful-mermaid');
  asInPage(() => renderMermaidSVG('graph TB\na --> b'));
  return renderMermaidSVG;
});

/**
 * Runs `work` in a worker as if in a page. When first used, elkjs (the layout) takes any worker without a
 * `document` for its own, and then exports no constructor. To prevent that, the library deletes `self` and
 * restores it, which a browser's worker does not allow. Nothing is drawn into the fake document.
 */
function asInPage(work: () => void): void {
  if (!('self' in globalThis) || 'document' in globalThis) return work();
  const self = Object.getOwnPropertyDescriptor(globalThis, 'self');
  Object.defineProperties(globalThis, {
    document: { value: {}, configurable: true },
    self: { value: globalThis.self, configurable: true, writable: true },
  });
  try {
    work();
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
    Reflect.deleteProperty(globalThis, 'self');
    if (self) Object.defineProperty(globalThis, 'self', self);
  }
}

/**
 * Replaces the mermaid blocks of a decorated tree with pictures and their source, in place. Diagrams that
 * cannot be drawn, or exceed `DIAGRAM_LIMITS`, stay code.
 * @param known result for the previous version of the article; unchanged diagrams are reused
 * @returns the diagrams of this version
 */
export async function drawDiagrams(
  tree: Root,
  source: string,
  known: KnownDiagrams = new Map(),
): Promise<KnownDiagrams> {
  const used = new Map<string, Element | null>();
  const draw = mayHaveDiagrams(source) ? await loadDiagrams() : undefined;
  if (!draw) return used;
  let lines = 0;
  let count = 0;
  walk<RootContent>(tree, (node, index, parent) => {
    if (!isElement(node, 'pre')) return undefined;
    if (node.properties['dataLang'] !== 'mermaid') return 'skip';
    const text = textOf(node);
    const diagram = codeOf(node) ? readDiagram(text) : null;
    lines += text.split('\n').length;
    if (!diagram || count >= DIAGRAM_LIMITS.diagrams || lines > DIAGRAM_LIMITS.articleLines) return 'skip';
    const drawn = used.get(text) ?? known.get(text);
    const svg = drawn === undefined ? pictureOf(draw, diagram) : drawn;
    used.set(text, svg);
    if (svg) parent.children[index] = figureOf(node, numbered(svg, ++count), diagram.kind);
    return 'skip';
  });
  return used;
}

function pictureOf(draw: Draw, diagram: DiagramSource): Element | null {
  const svg = 'sequence' in diagram ? drawSequence(diagram.sequence) : drawnByLibrary(draw, diagram);
  return svg && isSmall(svg) ? svg : null;
}

function drawnByLibrary(draw: Draw, { text, mustHoldWords }: { text: string; mustHoldWords: boolean }) {
  try {
    const markup = draw(text, { transparent: true, padding: 8 });
    if (markup.length > DIAGRAM_LIMITS.markup) return null;
    const svg = readSvg(markup);
    return svg && (!mustHoldWords || holdsWords(textOf(svg), text)) ? svg : null;
  } catch {
    // The library does not support everything that mermaid allows.
    return null;
  }
}

const isSmall = ({ properties: { width, height } }: Element) =>
  Number(width) <= DIAGRAM_LIMITS.width && Number(height) <= DIAGRAM_LIMITS.height;

function figureOf(pre: Element, svg: Element, kind: string): Element {
  const picture = { ...svg, properties: { ...svg.properties, role: 'img', ariaLabel: kind } };
  const { dataLang: _, ...properties } = pre.properties;
  const source = { ...pre, properties: { ...properties, dataMeta: 'title=Mermaid' } };
  const summary = element('summary', {}, [{ type: 'text', value: `查看${kind}的源码` }]);
  const isWide = Number(svg.properties.width) > DIAGRAM_LIMITS.shrunk;
  const figure = element('figure', { className: ['diagram', ...(isWide ? ['diagram-wide'] : [])] }, [
    element('div', { className: ['diagram-picture'], tabIndex: 0 }, [picture]),
    element('details', {}, [summary, source]),
  ]);
  return pre.position ? { ...figure, position: pre.position } : figure;
}
