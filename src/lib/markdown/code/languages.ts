import type { LanguageInput } from 'shiki/core';
import { bundledLanguagesInfo } from 'shiki/langs';

// Names that authors use in addition to those Shiki knows.
const ALIASES: Record<string, string> = {
  go: 'golang',
  javascript: 'node nodejs',
  sql: 'mysql pgsql postgres postgresql sqlite',
  ini: 'conf cfg',
  groovy: 'gradle',
  xml: 'maven svg',
  pascal: 'delphi',
  shellsession: 'terminal',
  bat: 'cmd',
  python: 'py3 python3',
  diff: 'patch',
};

/** Chinese words for languages, and the languages' ids. */
const CHINESE = new Map(
  Object.entries({
    服务器配置: 'apache nginx',
    汇编: 'asm wasm',
    文本处理: 'awk',
    批处理: 'bat',
    参考文献: 'bibtex',
    C语言: 'c',
    构建: 'cmake make',
    咖啡: 'coffee',
    样式表: 'css scss less',
    '表格 逗号分隔': 'csv',
    '补丁 差异': 'diff',
    '容器 镜像': 'docker',
    环境变量: 'dotenv',
    提交说明: 'git-commit',
    着色器: 'glsl hlsl',
    绘图: 'gnuplot',
    Go语言: 'go',
    查询: 'graphql',
    网页: 'html',
    '请求 报文': 'http',
    配置: 'ini toml yaml',
    爪哇: 'java',
    数据: 'json json5 jsonl',
    '数据 带注释': 'jsonc',
    '公式 排版': 'latex tex',
    日志: 'log',
    标记: 'markdown xml',
    矩阵: 'matlab',
    '流程图 图表': 'mermaid',
    苹果: 'objective-c objective-cpp swift',
    数据库: 'plsql prisma',
    翻译: 'po',
    '脚本 命令': 'powershell shellscript',
    协议: 'proto',
    统计: 'r',
    注册表: 'reg',
    正则: 'regexp',
    '终端 命令行': 'shellsession',
    合约: 'solidity',
    '数据库 查询': 'sql',
    服务: 'systemd',
    表格: 'tsv',
    硬件: 'verilog vhdl',
    维基: 'wikitext',
  }).flatMap(([words, ids]) => ids.split(' ').map((id) => [id, words] as const)),
);

// Fence names where authors do not write the grammar's own name.
const WRITTEN: Record<string, string> = {
  coffee: 'coffeescript',
  docker: 'dockerfile',
  make: 'makefile',
  proto: 'protobuf',
  shellscript: 'bash',
  viml: 'vim',
};

export interface LanguageChoice {
  /** The name after a fence: `bash`. */
  id: string;
  name: string;
  words: readonly string[];
}

export function listLanguages(): LanguageChoice[] {
  const choices = bundledLanguagesInfo.map(({ id, name, aliases = [] }): LanguageChoice => {
    const more = `${ALIASES[id] ?? ''} ${CHINESE.get(id) ?? ''}`.split(' ').filter((word) => word !== '');
    const words = [name, id, ...aliases, ...more].map((word) => word.toLowerCase());
    return { id: WRITTEN[id] ?? id, name, words: [...new Set(words)] };
  });
  return choices.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

interface Language {
  id: string;
  /** Its own name: `Shell`. */
  title: string;
  load: LanguageInput;
}

const LANGUAGES = new Map<string, Language>();
for (const { id, name: title, aliases = [], import: load } of bundledLanguagesInfo)
  for (const name of [id, ...aliases]) LANGUAGES.set(name, { id, title, load });
for (const [id, aliases] of Object.entries(ALIASES)) {
  const language = LANGUAGES.get(id);
  for (const alias of aliases.split(' '))
    if (language && !LANGUAGES.has(alias)) LANGUAGES.set(alias, language);
}

export const findLanguage = (name: string): Language | undefined => LANGUAGES.get(name);

export const languageName = (name: string): string =>
  findLanguage(name)?.title ?? (name === 'math' ? '公式' : name || '代码');
