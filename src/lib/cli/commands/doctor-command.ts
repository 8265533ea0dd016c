import type { Command } from 'commander';
import type { Finding, Verdict } from '../../server/operations/doctor.ts';
import { withApp } from '../session.ts';

const MARKS: Record<Verdict, string> = { fine: '✓', doubtful: '!', wrong: '✗', mended: '✓' };

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('检查网站：数据库、计数、搜索索引、文件、时钟、磁盘、设置、备份；有错时以 1 结束')
    .option('--mend', '修好能安全修好的，服务可以照常运行', false)
    .action(doctor);
}

async function doctor({ mend: mends }: { mend: boolean }): Promise<void> {
  await withApp(async (app) => {
    const { examine } = await import('../../server/operations/doctor.ts');
    for await (const finding of examine(app, { mends })) {
      console.log(lineOf(finding));
      // Doubtful findings are for the operator to judge.
      if (finding.verdict === 'wrong') process.exitCode = 1;
    }
  });
}

function lineOf({ check, verdict, text }: Finding): string {
  const told = verdict === 'mended' ? `已修好（${text}）` : text;
  return `${MARKS[verdict]} ${check}${told === '' ? '' : `：${told}`}`;
}
