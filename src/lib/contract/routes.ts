/** Method and path of every call, without schemas (calls.ts), which browsers need only for a form. */
export type Route = readonly ['GET' | 'POST', `/api/${string}`];

export const routes = {
  signup: ['POST', '/api/signup'],
  signin: ['POST', '/api/signin'],
  refreshToken: ['GET', '/api/signin/refreshToken'],
  signout: ['POST', '/api/signout'],
  getUserInfo: ['POST', '/api/signin/getUserInfo'],
  userDetail: ['POST', '/api/user/detail'],
  updateBio: ['POST', '/api/user/updatebio'],
  articleList: ['POST', '/api/page/pagelist'],
  searchArticles: ['POST', '/api/page/searchpage'],
  articleDetail: ['POST', '/api/page/detail'],
  articleSource: ['POST', '/api/page/editdetail'],
  ownArticleList: ['POST', '/api/page/limitpagelist'],
  articleCreate: ['POST', '/api/page/new'],
  articleEdit: ['POST', '/api/page/edit'],
  articleDelete: ['POST', '/api/page/delete'],
  revisionSave: ['POST', '/api/page/revision'],
  revisionDelete: ['POST', '/api/page/revision/delete'],
  articleComments: ['POST', '/api/comment/getpagecommentlist'],
  commentCreate: ['POST', '/api/comment/create'],
  userComments: ['POST', '/api/comment/getusercommentlist'],
  readComments: ['POST', '/api/comment/updatecommentstatus'],
  unreadNum: ['GET', '/api/comment/getUnreadCommentNum'],
  commentDelete: ['POST', '/api/comment/delete'],
  tagList: ['POST', '/api/tag/taglist'],
  tagDetail: ['POST', '/api/tag/tagdetail'],
  allTags: ['POST', '/api/tag/alltags'],
  tagCreate: ['POST', '/api/tag/create'],
  avatar: ['GET', '/api/file/avatar/user'],
  uploadAvatar: ['POST', '/api/file/uploadAvatar'],
  uploadImage: ['POST', '/api/file/uploadImage'],
  statistics: ['POST', '/api/statistics'],
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
