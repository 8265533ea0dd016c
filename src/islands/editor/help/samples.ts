export interface Sample {
  name: string;
  source: string;
}

/** Syntax supported by src/lib/markdown. Samples are short enough to be shown next to their output. */
export const SAMPLES: readonly Sample[] = [
  { name: '标题', source: '## 二级标题\n\n### 三级标题' },
  { name: '文字', source: '**重点**、*强调*、~~删除~~、`行内代码`，\n直接换行就是换行。' },
  { name: '链接', source: '[墨页](/home)，网址 https://example.com 会自动变成链接。' },
  { name: '列表', source: '- 春天种下\n  - 先翻土\n- 秋天收获\n\n1. 打开\n2. 放进去' },
  { name: '任务列表', source: '- [x] 列好提纲\n- [ ] 写完初稿' },
  { name: '引用', source: '> 纸上得来终觉浅，\n> 绝知此事要躬行。' },
  { name: '代码块', source: '```js\nconst name = "墨页"; // 语言写在开头\n```' },
  {
    name: '代码块的标题和标记',
    source: '```js title="墨.js" {1} del={2} ins={3}\nconst 纸 = 1;\nlet 笔 = 1;\nlet 笔 = 2;\n```',
  },
  {
    name: '公式',
    source: '行内 $E=mc^2$，价格 $5 不是公式。\n\n$$\n\\sum_{i=1}^n i = \\frac{n(n+1)}{2}\n$$',
  },
  { name: '流程图', source: '```mermaid\nflowchart LR\n  写 --> 读\n  读 -->|有疑问| 问\n```' },
  { name: '时序图', source: '```mermaid\nsequenceDiagram\n  读者->>作者: 留言\n  作者-->>读者: 回复\n```' },
  { name: '表格', source: '| 写法 | 居中 | 靠右 |\n| --- | :---: | ---: |\n| 甲 | 乙 | 1 |' },
  { name: '提示块', source: '::: tip 小提示\n还有 warning、danger、info。\n:::' },
  { name: '提示块（GitHub 写法）', source: '> [!NOTE]\n> 还有 TIP、IMPORTANT、WARNING、CAUTION。' },
  { name: '折叠块', source: '::: details 点开看答案\n四十二。\n:::' },
  { name: '名词解释', source: '墨\n: 写字用的黑色颜料。\n\n砚\n: 磨墨的石头。' },
  { name: '图片说明', source: '![墨页的标志](/favicon.svg "图片下面的说明")' },
  { name: '脚注', source: '正文里放一个记号[^1]。\n\n[^1]: 说明排在文章末尾。' },
  { name: '分隔线', source: '上文\n\n---\n\n下文' },
];
