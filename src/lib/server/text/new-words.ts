/**
 * Words missing from jieba's dictionary of 2012: product names and words that became common since. Without
 * 微博 it cuts 微博彩蛋 into 微·博彩·蛋.
 */
export const NEW_WORDS =
  `微博 长微博 微博客 微信 抖音 快手 知乎 天猫 拼多多 小红书 哔哩哔哩 阿里云 美团 饿了么 高德 优酷 爱奇艺 简书 码云 钉钉 语雀
印象笔记 有道云 陌陌 猎聘 领英 推特 脸书 谷歌 酷狗 网易云音乐 开源中国 王者荣耀 英雄联盟 原神 大疆 蔚来 公众号 小程序 视频号
服务号 订阅号 官博 官微 热搜 超话 博主 网红 主播 点赞 拉黑 带货 吐槽 表情包 短视频 扫码 网购 网盘 网课 慕课 健康码 共享单车
盲盒 元宇宙 手游 端游 页游 电竞 追剧 乐评 码农 全栈 运维 产品经理 云计算 大数据 区块链 机器学习 深度学习 大模型 微服务
云服务器 消息队列 协程 闭包`.split(/\s+/);
