import { text, type CallTexts } from './call-text.ts';

const DECIDING =
  'versions 是读到的 version，和 ids 一一对应。只处理一项而它在那之后改过，就拒绝（VERSION_CHANGED）；处理多项时，改过的不处理，列在 changed 里。';

export const MODERATION_TEXTS = {
  staffOverview: text('概览：新增、总数、等待处理的、占用的空间和上次备份'),
  heldList: text('等待审核的文章、评论和改动，早的在前'),
  staffRead: text(
    '阅读一篇文章或一条评论的全文',
    ['ARTICLE_NOT_FOUND', 'COMMENT_NOT_FOUND'],
    '读没有公开的内容会记入操作记录；草稿和私密文章只有被举报了才读得到。',
  ),
  articleModerate: text('隐藏、恢复、删除文章，或改为等待审核', ['VERSION_CHANGED'], DECIDING),
  commentModerate: text('隐藏、恢复、删除评论，或改为等待审核', ['VERSION_CHANGED'], DECIDING),
  changeDecide: text('通过或退回对公开内容的改动', ['VERSION_CHANGED'], DECIDING),
  staffArticles: text('全部文章'),
  staffComments: text('全部评论'),
  articlePin: text('把文章置顶在首页', ['ARTICLE_NOT_FOUND', 'PICKS_TOO_MANY']),
  articleUnpin: text('取消文章在首页的置顶', ['PICK_NOT_FOUND']),
  staffReports: text('举报，一件内容的合在一起'),
  reportDecide: text(
    '处理一件内容的全部举报',
    ['VERSION_CHANGED'],
    '没写 action 时，举报不成立。内容改过、举报有增减就拒绝（VERSION_CHANGED）。',
  ),
  wordList: text('词库'),
  wordAdd: text('添加词语，一行一个', ['WORD_INVALID', 'WORDS_TOO_MANY']),
  wordImport: text(
    '导入词语的文件',
    ['WORDS_TOO_MANY'],
    '一行一个词，后面可以有处理方式和分类；有误的行跳过。',
  ),
  wordExport: text('导出词库'),
  wordTrial: text('试一段文字里有哪些词'),
  wordPreview: text('预览词语会命中什么', [], '在最近的 1,000 篇公开或待审的文章和评论里查找，不保存。'),
  wordRemove: text('删除词语'),
} satisfies CallTexts;

export const PEOPLE_TEXTS = {
  staffUsers: text('全部账号'),
  userBan: text(
    '封禁账号',
    ['USER_NOT_FOUND'],
    '没写 until 时是永久；hides 为 true 时同时隐藏他公开的内容。',
  ),
  userUnban: text('解除封禁', ['USER_NOT_FOUND']),
  userRole: text(
    '任命或免去站务、站长',
    ['USER_NOT_FOUND', 'LAST_OPERATOR', 'PASSWORD_WRONG', 'CODE_WRONG'],
    '任命或免去站长要填自己的密码。',
  ),
  staffProfile: text('一个账号公开的资料和图片', ['USER_NOT_FOUND']),
  profileRemove: text('移除公开的资料或图片', [
    'USER_NOT_FOUND',
    'SERIES_NOT_FOUND',
    'TAG_NOT_FOUND',
    'FILE_NOT_FOUND',
    'VERSION_CHANGED',
  ]),
  postOrigins: text('谁在什么地址发表了什么', [], '每次查看都会记入操作记录。'),
  invitationList: text('邀请码'),
  invitationAdd: text('新建邀请码'),
  invitationEnd: text('停用邀请码', ['INVITATION_NOT_FOUND']),
} satisfies CallTexts;

export const CONSOLE_TEXTS = {
  staffTags: text('全部标签'),
  tagRename: text('给标签改名', ['TAG_NOT_FOUND', 'TAG_TAKEN']),
  tagMerge: text('把标签合并到另一个', ['TAG_NOT_FOUND']),
  tagDescribe: text('修改标签的说明', ['TAG_NOT_FOUND']),
  tagDelete: text('删除没有用到的标签', ['TAG_NOT_FOUND', 'TAG_IN_USE']),
  noticeOverview: text('通知地址，等待和没有送到的通知'),
  webhookSave: text(
    '新建或修改通知地址',
    ['WEBHOOK_NOT_FOUND', 'WEBHOOKS_TOO_MANY', 'URL_REFUSED'],
    '没写 id 时新建；没写 url 或 secret 时不变。',
  ),
  webhookDelete: text('删除通知地址', ['WEBHOOK_NOT_FOUND']),
  webhookTest: text('向通知地址发一条试试', [
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_FAILED',
    'URL_REFUSED',
    'URL_UNREACHABLE',
  ]),
  webhookLog: text(
    '向通知地址发过的内容变化，新的在前',
    ['WEBHOOK_NOT_FOUND'],
    '送到以后留 7 天，没有送到的留 30 天。',
  ),
  mailTest: text('发一封邮件试试', ['MAIL_OFF', 'MAIL_FAILED']),
  deliveryRetry: text('再发一次没有送到的通知，或者记录里的内容变化'),
  deliveryDiscard: text('丢弃没有送到的通知'),
  auditList: text('操作记录'),
  auditExport: text('导出操作记录'),
  siteOptions: text('网站的选项'),
  siteOptionsChange: text('修改网站的选项', [], '没写的选项不变。'),
  siteIdentity: text('站名、导航、页脚、颜色等'),
  siteIdentityChange: text('修改站名、导航、页脚、颜色等', ['FIELD_FIXED'], '没写的不变。'),
  siteLogo: text('上传标志', ['LOGO_UNUSABLE', 'FIELD_FIXED']),
  siteLogoRemove: text('移除标志', ['FIELD_FIXED']),
} satisfies CallTexts;
