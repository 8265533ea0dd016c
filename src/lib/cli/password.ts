import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from '../server/operations/explain.ts';

export interface PasswordSource {
  passwordStdin?: boolean;
  generate?: boolean;
}

/** Without characters that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GENERATED_CHARACTERS = 20;

/** Returns twenty random letters and digits, 115 bits. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * Generates a password, reads it from standard input, or asks for it twice, hidden, on a terminal.
 * @throws UsageError if none is given, the two inputs differ, or there is no terminal
 */
export async function obtainPassword(source: PasswordSource) {
  if (source.generate && source.passwordStdin)
    throw new UsageError('--generate 与 --password-stdin 只能选一个');
  if (source.generate) return { password: generatePassword(), isGenerated: true };
  const password = source.passwordStdin ? firstLine(await text(process.stdin)) : await ask();
  if (password === '') throw new UsageError('没有输入密码');
  return { password, isGenerated: false };
}

const firstLine = (input: string): string => input.replace(/^\ufeff/, '').split(/\r?\n/, 1)[0] ?? '';

async function ask(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError('这里不是终端：请用 --password-stdin 从标准输入传入密码，或用 --generate 生成一个');
  const password = await askHidden('密码：');
  if (password !== '' && password !== (await askHidden('再输入一次：')))
    throw new UsageError('两次输入的密码不一致');
  return password;
}

/** Asks on the terminal without showing the input. Ctrl-C and Ctrl-D return the empty string. */
async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve) => {
      terminal.once('line', resolve);
      terminal.once('SIGINT', () => resolve(''));
      terminal.once('close', () => resolve(''));
    });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
