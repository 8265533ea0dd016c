import { text, type CallTexts } from './call-text.ts';

const OWN = ['ARTICLE_NOT_FOUND', 'NOT_YOURS'] as const;
const PUBLISHED = [
  'CONTENT_TOO_COMPLEX',
  'ACCOUNT_FULL',
  'QUOTA_REACHED',
  'WORD_REFUSED',
  'OUTSIDE_REFUSED',
] as const;
const PUBLISHING =
  '发布（status 为 normal）要有标题、正文和 1–10 个标签，草稿至少有标题或正文。旧客户端的 tag 与 tags 相同。';

export const ARTICLE_TEXTS = {
  articleList: text(
    '公开的文章，新的在前',
    [],
    'type 为空是全站，tag 是 content 所指标签下的，create_user 是 content 所指用户的；pinned 为 true 时只有用户在主页置顶的。',
  ),
  articleDetail: text('一篇文章', ['ARTICLE_NOT_FOUND'], '草稿和私密文章只有作者读得到。'),
  articleFile: text('一篇公开文章的 Markdown 原文', ['ARTICLE_NOT_FOUND']),
  articleSource: text('自己的文章的原文，还有未发布的修改', OWN),
  ownArticleList: text(
    '自己的文章或草稿',
    [],
    'content 写自己的用户名；写别人的，得到他公开的文章。带 read_num、comment_num、changed。',
  ),
  articleCreate: text(
    '新建文章或草稿',
    PUBLISHED,
    `${PUBLISHING}带 request_id 时，重复发送只新建一篇，回答里有 repeated。`,
  ),
  articleEdit: text(
    '修改自己的文章',
    [...OWN, ...PUBLISHED, 'ARTICLE_CHANGED', 'RESUBMIT_UNCHANGED'],
    `${PUBLISHING}带上读到的 update_time，文章在别处改过就拒绝（ARTICLE_CHANGED），什么也不改。没写的扩展字段不变。`,
  ),
  articleDelete: text('把自己的文章移到回收站', OWN, '30 天内可以恢复。'),
  articleSettings: text('修改多篇文章的设置', [], '每篇单独修改，回答里逐篇说明结果；正文不变。'),
  revisionSave: text('保存对已发布文章的修改，不发布', [...OWN, 'ARTICLE_CHANGED', 'ACCOUNT_FULL']),
  revisionDelete: text('删除未发布的修改', OWN),
  scheduleSet: text('定时发布', [
    ...OWN,
    'ARTICLE_CHANGED',
    'NOTHING_TO_SCHEDULE',
    'TOO_MANY_SCHEDULES',
    'CONTENT_TOO_COMPLEX',
  ]),
  scheduleFind: text('一篇文章的定时发布', OWN),
  scheduleCancel: text('取消定时发布', OWN),
  versionList: text('一篇文章的历史版本，新的在前', ['ARTICLE_NOT_FOUND']),
  versionFind: text('一个历史版本', ['ARTICLE_NOT_FOUND', 'VERSION_NOT_FOUND']),
  articleReview: text('自己的文章的审核状态', ['ARTICLE_NOT_FOUND']),
  articleResubmit: text('再次提交被退回的文章', [
    'ARTICLE_NOT_FOUND',
    'NOTHING_TO_RESUBMIT',
    'RESUBMIT_UNCHANGED',
  ]),
} satisfies CallTexts;

export const TRASH_TEXTS = {
  trashList: text('自己删除的文章'),
  trashRestore: text('从回收站恢复一篇文章', ['ARTICLE_NOT_FOUND', 'QUOTA_REACHED']),
  trashPurge: text('永久删除回收站里的一篇文章', ['ARTICLE_NOT_FOUND']),
  trashEmpty: text('清空回收站', [], '带 until 时，只删除在那之前移到回收站的。'),
} satisfies CallTexts;

export const SEARCH_TEXTS = {
  searchArticles: text('搜索公开的文章', [], 'details 为 true 时，回答里还有列表之后的各项。'),
  suggest: text('输入时的搜索建议'),
  articleWays: text('一篇公开文章的上一篇、下一篇、相关文章和作者', ['ARTICLE_NOT_FOUND']),
  worthReading: text('首页的置顶和本月读得最多的文章'),
  archive: text('归档：全部文章，或某年、某月、某位作者的', ['USER_NOT_FOUND']),
  activityList: text('动态：公开的文章和评论', [], '全站的，或者某位用户的；新的在前，最多各 10,000 条。'),
  activityNum: text('动态的条数'),
  feed: text('订阅源的内容：最新 20 篇公开的文章', ['USER_NOT_FOUND', 'TAG_NOT_FOUND', 'SERIES_NOT_FOUND']),
  sitemap: text('网站地图有哪些文件'),
  sitemapPart: text('网站地图的一个文件，最多 1,000 条'),
  formerPath: text('旧网址所指的公开文章', ['ARTICLE_NOT_FOUND']),
} satisfies CallTexts;

export const COMMENT_TEXTS = {
  articleComments: text(
    '一篇文章的评论',
    ['ARTICLE_NOT_FOUND'],
    '没写 page 时是最新的 500 条，不超过 1 MB；写了就按页，每条有 position，从最早的一条数起。',
  ),
  commentCreate: text(
    '发表评论或回复',
    [
      'ARTICLE_NOT_FOUND',
      'COMMENTS_CLOSED',
      'REPLY_USER_NOT_FOUND',
      'QUOTA_REACHED',
      'WORD_REFUSED',
      'OUTSIDE_REFUSED',
      'CHECK_NEEDED',
      'CHECK_FAILED',
      'ACCOUNT_FULL',
    ],
    '带 request_id 时，重复发送只有一条。reply_id 是被回复的评论；没有它时，按 reply_user 和 reply_content 寻找。',
  ),
  userComments: text('自己收到的或写的评论', [], 'to_user 是收到的评论和回复，create_user 是自己写的。'),
  readComments: text('把收到的评论标为已读'),
  unreadNum: text('未读评论的条数'),
  commentEdit: text(
    '修改自己的评论',
    [
      'COMMENT_NOT_FOUND',
      'NOT_YOURS',
      'EDIT_TOO_LATE',
      'QUOTA_REACHED',
      'WORD_REFUSED',
      'OUTSIDE_REFUSED',
      'RESUBMIT_UNCHANGED',
    ],
    '发表后 15 分钟内可以修改。',
  ),
  commentDelete: text('删除评论', ['COMMENT_NOT_FOUND', 'NOT_YOURS'], '写评论的人或者文章的作者可以删除。'),
} satisfies CallTexts;

export const TAG_TEXTS = {
  tagList: text('标签，文章多的在前', [], 'used 为 true 时，只有公开文章用到的。'),
  tagDetail: text('一个标签', ['TAG_NOT_FOUND']),
  allTags: text('最常用的 2,000 个标签的名字'),
  tagCreate: text('新建标签', ['WORD_REFUSED', 'TAG_TAKEN', 'QUOTA_REACHED']),
} satisfies CallTexts;

export const SERIES_TEXTS = {
  seriesList: text('一位作者的专栏'),
  seriesDetail: text('一个专栏和它的文章', ['SERIES_NOT_FOUND']),
  seriesCreate: text('新建专栏', ['WORD_REFUSED', 'SERIES_TOO_MANY']),
  seriesEdit: text('修改自己的专栏', ['WORD_REFUSED', 'SERIES_NOT_FOUND']),
  seriesOrder: text('排专栏里文章的顺序', ['SERIES_NOT_FOUND'], '没列出的文章按原来的顺序排在后面。'),
  seriesDelete: text('删除自己的专栏', ['SERIES_NOT_FOUND'], '文章都还在。'),
} satisfies CallTexts;

const PICTURE = ['IMAGE_UNREADABLE', 'IMAGE_MISSING', 'ACCOUNT_FULL', 'QUOTA_REACHED'] as const;

export const PICTURE_TEXTS = {
  uploadImage: text('上传图片', PICTURE, 'PNG、JPEG、WebP、GIF、AVIF 或 HEIC，不超过 16 MB。'),
  fetchImage: text('把别的网站上的图片存到本站', [...PICTURE, 'URL_REFUSED', 'URL_UNREACHABLE']),
  pictureList: text('自己上传的图片，每张用在哪里'),
  pictureDelete: text(
    '删除自己的图片',
    ['PICTURE_IN_USE', 'PICTURE_IN_HISTORY'],
    '要么全部删除，要么一张也不删。',
  ),
  pictureReplace: text('在自己的文章里用一张图片换掉另一张', ['FILE_NOT_FOUND']),
} satisfies CallTexts;
