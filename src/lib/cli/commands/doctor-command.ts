import type { Command } from 'commander';
import type { Finding, Verdict } from '../../server/operations/doctor.ts';
import { readConfig, readPlaces } from '../../server/config/config.ts';
import { UsageError } from '../../server/operations/explain.ts';
import { requireSite, withApp } from '../session.ts';

const MARKS: Record<Verdict, string> = { fine: '✓', doubtful: '!', wrong: '✗', mended: '✓' };

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('检查网站：数据库、计数、搜索索引、文件、时钟、磁盘、设置、备份；有错时以 1 结束')
    .option('--mend', '修好能安全修好的，服务可以照常运行', false)
    .option('--url <address>', '改为检查读者用的网址：证书、代理层数、实时更新、请求的大小')
    .action(doctor);
}

async function doctor({ mend: mends, url }: { mend: boolean; url?: string }): Promise<void> {
  if (url !== undefined) return examineUrl(url);
  await withApp(async (app) => {
    const { examine } = await import('../../server/operations/doctor.ts');
    for await (const finding of examine(app, { mends })) {
      console.log(lineOf(finding));
      // Doubtful findings are for the operator to judge.
      if (finding.verdict === 'wrong') process.exitCode = 1;
    }
  });
}

async function examineUrl(text: string): Promise<void> {
  const address = URL.parse(text);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UsageError('网址要写成读者用的样子，如 https://blog.example.com');
  await requireSite(readPlaces());
  const { examineAddress } = await import('../../server/operations/public-address.ts');
  for await (const finding of examineAddress(address, readConfig())) {
    console.log(lineOf(finding));
    if (finding.verdict === 'wrong') process.exitCode = 1;
  }
}

function lineOf({ check, verdict, text }: Finding): string {
  const told = verdict === 'mended' ? `已修好（${text}）` : text;
  return `${MARKS[verdict]} ${check}${told === '' ? '' : `：${told}`}`;
}
