import type { LanguageInput } from 'shiki/core';
import { bundledLanguagesInfo } from 'shiki/langs';

// Names that authors use in addition to those Shiki knows.
const ALIASES = Object.entries({
  golang: 'go',
  node: 'javascript',
  nodejs: 'javascript',
  mysql: 'sql',
  pgsql: 'sql',
  postgres: 'sql',
  postgresql: 'sql',
  sqlite: 'sql',
  conf: 'ini',
  cfg: 'ini',
  gradle: 'groovy',
  maven: 'xml',
  svg: 'xml',
  delphi: 'pascal',
  terminal: 'shellsession',
  cmd: 'bat',
  py3: 'python',
  python3: 'python',
  patch: 'diff',
});

const CHINESE: Record<string, string> = {
  apache: '服务器配置',
  asm: '汇编',
  awk: '文本处理',
  bat: '批处理',
  bibtex: '参考文献',
  c: 'C语言',
  cmake: '构建',
  coffee: '咖啡',
  css: '样式表',
  csv: '表格 逗号分隔',
  diff: '补丁 差异',
  docker: '容器 镜像',
  dotenv: '环境变量',
  'git-commit': '提交说明',
  glsl: '着色器',
  gnuplot: '绘图',
  go: 'Go语言',
  graphql: '查询',
  hlsl: '着色器',
  html: '网页',
  http: '请求 报文',
  ini: '配置',
  java: '爪哇',
  json: '数据',
  json5: '数据',
  jsonc: '数据 带注释',
  jsonl: '数据',
  latex: '公式 排版',
  log: '日志',
  make: '构建',
  markdown: '标记',
  matlab: '矩阵',
  mermaid: '流程图 图表',
  nginx: '服务器配置',
  'objective-c': '苹果',
  'objective-cpp': '苹果',
  plsql: '数据库',
  po: '翻译',
  powershell: '脚本 命令',
  prisma: '数据库',
  proto: '协议',
  r: '统计',
  reg: '注册表',
  regexp: '正则',
  scss: '样式表',
  less: '样式表',
  shellscript: '脚本 命令',
  shellsession: '终端 命令行',
  solidity: '合约',
  sql: '数据库 查询',
  swift: '苹果',
  systemd: '服务',
  tex: '公式 排版',
  toml: '配置',
  tsv: '表格',
  verilog: '硬件',
  vhdl: '硬件',
  wasm: '汇编',
  wikitext: '维基',
  xml: '标记',
  yaml: '配置',
};

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
    const more = ALIASES.filter(([, target]) => target === id).map(([alias]) => alias);
    const chinese = CHINESE[id]?.split(' ') ?? [];
    const words = [name, id, ...aliases, ...more, ...chinese].map((word) => word.toLowerCase());
    return { id: WRITTEN[id] ?? id, name, words: [...new Set(words)] };
  });
  return choices.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

interface Language {
  id: string;
  load: LanguageInput;
}

const LANGUAGES = new Map<string, Language>();
for (const { id, aliases = [], import: load } of bundledLanguagesInfo) {
  for (const name of [id, ...aliases]) LANGUAGES.set(name, { id, load });
}
for (const [alias, name] of ALIASES) {
  const language = LANGUAGES.get(name);
  if (language && !LANGUAGES.has(alias)) LANGUAGES.set(alias, language);
}

const NAMES = new Map(bundledLanguagesInfo.map(({ id, name }) => [id, name]));

export function languageName(name: string): string {
  const language = findLanguage(name);
  return (language && NAMES.get(language.id)) ?? (name === 'math' ? '公式' : name || '代码');
}

export function findLanguage(name: string): Language | undefined {
  return LANGUAGES.get(name);
}
