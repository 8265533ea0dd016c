// @ts-check
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const textFile = /\.(css|html|js|json|map|mjs|svg|txt|wasm|webmanifest|xml)$/;
const smallest = 1024;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/**
 * Writes `x.br` and `x.gz` next to every text file of more than 1 KB in a folder, at the highest compression
 * level, so requests need no compression. Skips a variant that would not be smaller.
 * @param {string} folder
 * @returns {Promise<number>} number of compressed files; 0 when the folder does not exist
 */
export async function precompress(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) count += await precompress(path);
    else if (textFile.test(entry.name) && (await compressFile(path))) count += 1;
  }
  return count;
}

/** @param {string} path @returns {Promise<boolean>} whether a variant was written */
async function compressFile(path) {
  const content = await readFile(path);
  if (content.length <= smallest) return false;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const variants = [
    { end: 'br', body: await brotli(content, { params }) },
    { end: 'gz', body: await deflate(content, { level: 9 }) },
  ].filter(({ body }) => body.length < content.length);
  await Promise.all(variants.map(({ end, body }) => writeFile(`${path}.${end}`, body)));
  return variants.length > 0;
}
