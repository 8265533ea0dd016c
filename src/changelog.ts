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
    version: '0.2.0',
    date: '2026-11-22',
    title: '写作与评论',
    changes: [
      '可以注册、登录、写文章了：编辑器边写边预览，支持拖放和粘贴图片，每一次改动都先存在本机，断网、关页、崩溃都不会丢字。',
      '已发布的文章可以先改草稿、再发布；两台设备改了同一篇时，两份文字并排摆出来，由作者决定。',
      '文章下可以评论和回复，未读评论会即时亮起红点，看过即消。',
      '个人主页可以裁剪头像、填写简介；我的文章、我的草稿、我的评论各有一页。',
      '深色主题、键盘操作和读屏都照顾到了，切换主题不闪烁。',
      '公开的页面直接从内存送出，鼠标停在链接上时下一页已经在路上；只读文章的读者几乎不下载脚本。',
    ],
  },
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
