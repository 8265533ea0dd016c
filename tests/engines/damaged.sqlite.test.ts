import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { damage } from './full-disk.ts';
import { runMoye } from './import-command.ts';
import { openImportStage } from './import-stage.ts';

const COMMANDS: string[][] = [
  ['backup', 'BACKUP'],
  ['export', 'site', 'OUT'],
  ['move', '--from', 'sqlite:FILE', '--to', 'sqlite:OUT'],
  ['import', 'markdown', 'FOLDER', '--author', '作者'],
  ['user', 'list'],
  ['doctor'],
];

test.each(['users', 'schema_version'])(
  'every command on a file whose table %s is damaged says so without a stack, and leaves no file',
  async (table) => {
    const stage = await openImportStage();
    try {
      stage.put({ 'a.md': '# 题\n\n文' });
      await stage.app.close();
      const file = join(stage.dataDir, 'moye.sqlite');
      await damage(file, table);
      const out = join(stage.dataDir, 'out');
      for (const words of COMMANDS) {
        const named = words.map((word) =>
          word
            .replace('BACKUP', join(stage.dataDir, 'backup'))
            .replace('OUT', out)
            .replace('FILE', file)
            .replace('FOLDER', stage.folder),
        );
        const { code, output, errors } = await runMoye(stage, named);
        expect([named[0], code]).toEqual([named[0], 1]);
        expect(output + errors).toMatch(/malformed|损坏/);
        expect(errors).not.toMatch(/^ +at /m);
        expect(errors.match(/^moye：/gm) ?? []).toHaveLength(errors === '' ? 0 : 1);
      }
      expect(existsSync(join(stage.dataDir, 'backup'))).toBe(false);
    } finally {
      rmSync(dirname(stage.dataDir), { recursive: true, force: true });
    }
  },
);
