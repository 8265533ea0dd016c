/** One release in the update log. */
export interface Release {
  version: string;
  /** YYYY-MM-DD. */
  date: string;
  /** What the release is about, in one line. */
  title: string;
  /** What readers and authors notice, one sentence each. */
  changes: string[];
}

/** The update log of the site, newest first: all that /changelog shows. */
export const changelog: Release[] = [
  {
    version: '0.1.0',
    date: '2026-11-21',
    title: '第一版',
    changes: [
      '文章列表、文章页、标签和个人主页上线，关闭 JavaScript 也能浏览、翻页、搜索和阅读。',
      '文章支持 GFM 语法、任务列表、脚注、提示块和代码高亮，正文自动生成目录。',
      '搜索标题、标签和正文：一个字也能搜到，中英文混排、多个词、标点符号都可以，命中处有标记。',
      '版式从手机到宽屏自适应，打印时只留正文。',
      '可以从 Hexo、Hugo、VuePress、Jekyll 的 Markdown 文件夹导入文章，图片和文章之间的链接一并带来。',
      '实验室的第一件作品：一杯只用 CSS 画的茶。',
    ],
  },
];
