/** A sequence diagram: its participants, and what happens between them from top to bottom. */
export interface Sequence {
  people: { name: string; label: string; isActor: boolean }[];
  events: SequenceEvent[];
}

export type SequenceEvent =
  | {
      kind: 'message';
      from: number;
      to: number;
      label: string;
      isDashed: boolean;
      head: 'none' | 'filled' | 'open' | 'cross';
    }
  | { kind: 'note'; side: 'left' | 'right' | 'over'; first: number; last: number; label: string }
  | { kind: 'open'; label: string }
  | { kind: 'divide'; label: string }
  | { kind: 'close' }
  | { kind: 'begin' | 'end'; person: number };

const PERSON = /^(participant|actor)\s+(.+?)(?:\s+as\s+(.+))?$/;
const NOTE = /^note\s+(left of|right of|over)\s+([^:]+?)\s*:\s*(.+)$/i;
const OPEN = /^(?:loop|alt|opt|par|break|critical)\b.*$/;
const DIVIDE = /^(else|and|option)\b\s*(.*)$/;
const MESSAGE = /^([^:]+?)\s*(-->>|->>|-->|->|--\)|-\)|--x|-x)\s*([+-]?)\s*([^:]+?)\s*:\s*(.*)$/;
const ACTIVE = /^(activate|deactivate)\s+(.+)$/;
const NUMBERS = /^autonumber(?:\s+(\d{1,6}))?(?:\s+(\d{1,6}))?$/;
/** Arrows that are not supported, and names that would contain part of one. */
const NOT_A_NAME = /<<|->|--|[<>;]/;

/** Returns null if a line is not understood. */
export function readSequence(lines: readonly string[]): Sequence | null {
  const people: Sequence['people'] = [];
  const events: SequenceEvent[] = [];
  const active = new Map<number, number>();
  let depth = 0;
  let number: { next: number; step: number } | null = null;

  const indexOf = (name: string): number => {
    const index = people.findIndex((each) => each.name === name);
    return index < 0 ? people.push({ name, label: name, isActor: false }) - 1 : index;
  };
  const begin = (person: number) => {
    active.set(person, (active.get(person) ?? 0) + 1);
    events.push({ kind: 'begin', person });
    return true;
  };
  const end = (person: number) => {
    const count = active.get(person) ?? 0;
    active.set(person, count - 1);
    events.push({ kind: 'end', person });
    return count > 0;
  };

  const readPerson = (line: string): boolean | null => {
    const [, kind, name = '', label = name] = PERSON.exec(line) ?? [];
    if (kind === undefined) return null;
    Object.assign(people[indexOf(name)] ?? {}, { label, isActor: kind === 'actor' });
    return !NOT_A_NAME.test(name) && !name.includes('@{');
  };
  const readNote = (line: string): boolean | null => {
    const [, where = '', names = '', label = ''] = NOTE.exec(line) ?? [];
    if (where === '') return null;
    const indexes = names.split(',').map((name) => indexOf(name.trim()));
    const side = where.toLowerCase().split(' ')[0] as 'left' | 'right' | 'over';
    events.push({ kind: 'note', side, first: Math.min(...indexes), last: Math.max(...indexes), label });
    return side === 'over' ? indexes.length <= 2 : indexes.length === 1;
  };
  const readBlock = (line: string): boolean | null => {
    if (line === 'end') {
      depth -= 1;
      events.push({ kind: 'close' });
      return depth >= 0;
    }
    const [, , label] = DIVIDE.exec(line) ?? [];
    if (label !== undefined) events.push({ kind: 'divide', label });
    else if (OPEN.test(line)) events.push({ kind: 'open', label: line });
    else return null;
    if (label === undefined) depth += 1;
    return depth > 0;
  };
  const readActive = (line: string): boolean | null => {
    const [, word, name = ''] = ACTIVE.exec(line) ?? [];
    if (word === undefined) return null;
    return word === 'activate' ? begin(indexOf(name)) : end(indexOf(name));
  };
  const readMessage = (line: string): boolean => {
    const [, source = '', arrow = '', sign = '', target = '', text = ''] = MESSAGE.exec(line) ?? [];
    if (arrow === '' || NOT_A_NAME.test(source) || NOT_A_NAME.test(target)) return false;
    const [from, to] = [indexOf(source), indexOf(target)];
    const label = number === null ? text : `${number.next}. ${text}`;
    if (number) number.next += number.step;
    events.push({ kind: 'message', from, to, label, isDashed: arrow.startsWith('--'), head: headOf(arrow) });
    if (sign === '+') return begin(to);
    return sign === '-' ? end(from) : true;
  };
  const readNumbers = (line: string): boolean | null => {
    const found = NUMBERS.exec(line);
    if (found) number = { next: Number(found[1] ?? 1), step: Number(found[2] ?? 1) };
    return found ? true : null;
  };

  const read = (line: string): boolean =>
    readPerson(line) ??
    readNote(line) ??
    readBlock(line) ??
    readActive(line) ??
    readNumbers(line) ??
    readMessage(line);
  return lines.every(read) && depth === 0 && people.length > 0 ? { people, events } : null;
}

function headOf(arrow: string) {
  if (arrow.endsWith('>>')) return 'filled';
  if (arrow.endsWith('x')) return 'cross';
  return arrow.endsWith(')') ? 'open' : 'none';
}
