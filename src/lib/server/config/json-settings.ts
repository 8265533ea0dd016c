import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-fields.ts';

interface Place {
  /** Null if there is no file. */
  dataDir: string | null;
  /** Name of the file in `dataDir`. */
  file: string;
  /** Variable whose content is used instead of the file. */
  variable: string;
  text: string | undefined;
}

/**
 * Reads settings in JSON from a variable, or else from a file; `source` names it. Without either, `value` is
 * empty.
 * @throws ConfigError: one line that names the source, the path of the field and the expected value
 */
export function readJsonSettings<T extends z.ZodObject>(
  schema: T,
  { dataDir, file, variable, text }: Place,
): { source: string; value: Partial<z.infer<T>> } {
  const [source, json] =
    text !== undefined ? [variable, text] : dataDir === null ? [file, null] : fileIn(join(dataDir, file));
  return { source, value: json === null ? {} : parse(schema, source, json) };
}

function fileIn(path: string): [path: string, text: string | null] {
  try {
    return [path, readFileSync(path, 'utf8')];
  } catch (error) {
    // When the folder is not a directory, the code that opens it reports that.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [path, null];
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parse<T extends z.ZodObject>(schema: T, source: string, text: string): z.infer<T> {
  const parsed = schema.safeParse(jsonOf(source, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue && issue.path.length > 0 ? `${z.core.toDotPath(issue.path)}: ` : '';
  const isUnknown = issue?.code === 'unrecognized_keys' && issue.path.length === 0;
  const known = isUnknown ? `; known are ${Object.keys(schema.shape).join(', ')}` : '';
  throw new ConfigError(`${source}: ${path}${issue?.message ?? ''}${known}`);
}

function jsonOf(source: string, text: string): unknown {
  try {
    // Some editors start a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(`${source} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
