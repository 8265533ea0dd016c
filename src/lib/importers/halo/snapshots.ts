import { z } from 'zod';
import { jsonOf, type Extensions } from './extensions.ts';
import { snapshotShape, type HaloSnapshot } from './shapes.ts';

const chunk = z.object({ position: z.number().int().nonnegative(), lines: z.array(z.string()) });
const patchShape = z.array(
  z.object({ type: z.enum(['CHANGE', 'INSERT', 'DELETE', 'EQUAL']), source: chunk, target: chunk }),
);

export interface Released {
  /** `markdown`, `html`, or the type of a plugin's editor. */
  rawType: string;
  raw: string | null;
  html: string | null;
  updated: number | undefined;
}

/**
 * Rebuilds the content of a snapshot: the base snapshot of an article contains its text, others contain
 * patches to it.
 * @returns null if either is missing in the backup
 */
export function rebuild(extensions: Extensions, name: string, baseName: string): Released | null {
  const snapshot = name === '' ? null : extensions.find('snapshots', name, snapshotShape);
  if (!snapshot) return null;
  const { rawType, lastModifyTime: updated } = snapshot.spec;
  const type = rawType.toLowerCase();
  if (name === baseName || isBase(snapshot)) {
    const { rawPatch, contentPatch } = snapshot.spec;
    return { rawType: type, raw: rawPatch, html: contentPatch, updated };
  }
  const base = extensions.find('snapshots', baseName, snapshotShape);
  if (!base) return null;
  return {
    rawType: type,
    raw: applyPatch(base.spec.rawPatch, snapshot.spec.rawPatch),
    html: applyPatch(base.spec.contentPatch, snapshot.spec.contentPatch),
    updated,
  };
}

const isBase = ({ metadata }: HaloSnapshot): boolean =>
  metadata.annotations['content.halo.run/keep-raw'] === 'true';

/**
 * Applies a patch of java-diff-utils as Halo stores it: JSON of differences between lines.
 * @returns null if it is invalid, or belongs to another text
 */
export function applyPatch(original: string, patch: string): string | null {
  const { data: deltas } = patchShape.safeParse(jsonOf(patch));
  if (!deltas) return null;
  // As in Halo, a blank text has no lines.
  const lines = original.trim() === '' ? [] : original.split('\n');
  const result: string[] = [];
  const keep = (from: readonly string[], start: number, end: number): void => {
    for (let index = start; index < end; index += 1) result.push(from[index] ?? '');
  };
  let at = 0;
  for (const { type, source, target } of deltas.toSorted((a, b) => a.source.position - b.source.position)) {
    const end = source.position + source.lines.length;
    const isMet = source.lines.every((line, index) => lines[source.position + index] === line);
    if (source.position < at || end > lines.length || !isMet) return null;
    keep(lines, at, source.position);
    if (type !== 'DELETE') keep(target.lines, 0, target.lines.length);
    at = end;
  }
  keep(lines, at, lines.length);
  return result.join('\n');
}
