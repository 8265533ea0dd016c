export interface Template {
  name: string;
  content: string;
}

export const BUILT_IN: readonly Template[] = [
  {
    name: '教程',
    content:
      '读完这篇，你会……\n\n<--阅读全文-->\n\n## 准备\n\n- 环境：\n- 需要先会：\n\n## 步骤\n\n### 第一步\n\n```\n\n```\n\n### 第二步\n\n## 常见问题\n\n## 小结\n',
  },
  {
    name: '读书笔记',
    content:
      '书名：\n作者：\n\n<--阅读全文-->\n\n## 这本书讲什么\n\n## 摘抄\n\n> \n\n## 我的想法\n\n## 值得一读吗\n',
  },
  {
    name: '周报',
    content: '## 这周做了\n\n- \n\n## 遇到的问题\n\n- \n\n## 下周打算\n\n- [ ] \n\n## 学到的\n',
  },
  {
    name: '问题排查',
    content:
      '## 现象\n\n## 环境\n\n| 项目 | 版本 |\n| --- | --- |\n|  |  |\n\n## 排查过程\n\n1. \n\n## 原因\n\n## 解决办法\n\n```\n\n```\n\n## 怎样避免再发生\n',
  },
  {
    name: '方案对比',
    content:
      '## 要解决什么\n\n## 几种方案\n\n| 方案 | 好处 | 代价 |\n| --- | --- | --- |\n| 甲 |  |  |\n| 乙 |  |  |\n\n## 选择和理由\n\n## 还没想清楚的\n',
  },
];
