import type { Look } from '../contract/rules/looks.ts';

/** A part of the JSON Schema of looks; `x-…` are texts of the console (contract/look.ts). */
export interface LookPart {
  title?: string;
  type?: string;
  properties?: Readonly<Record<string, LookPart>>;
  minimum?: number;
  maximum?: number;
  'x-names'?: Readonly<Record<string, string>>;
  'x-unit'?: string;
  'x-step'?: number;
}

/** Files with a look are about 2 KB. */
const MAX_FILE_BYTES = 64 * 1024;

export type LookRules = Awaited<ReturnType<typeof loadLookRules>>;

/** Loads the schema of looks, which only the console needs. */
export async function loadLookRules() {
  const [contract, { toJSONSchema }] = await Promise.all([import('../contract/look.ts'), import('zod')]);
  const { properties } = toJSONSchema(contract.Look, { io: 'input', unrepresentable: 'any' });
  return {
    parts: properties as Readonly<Record<string, LookPart>>,

    /** Reads a look from a file. @throws an error with a message for the operator */
    async read(file: Blob): Promise<Look> {
      if (file.size > MAX_FILE_BYTES) throw new Error('这个文件太大，不是外观');
      const text = await file.text();
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        throw new Error('这个文件不是 JSON，读不出外观');
      }
      const { data, error } = contract.Look.safeParse(value);
      if (data) return data;
      throw new Error(error?.issues[0]?.message ?? '这个文件不是外观');
    },
  };
}
