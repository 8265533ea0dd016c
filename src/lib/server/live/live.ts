import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Server } from 'socket.io';
import { refusal } from '../../contract/rules/errors.ts';
import { STAFF_COUNTS, WATCH_STAFF, type StaffCounts } from '../../contract/staff-counts.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { BlogEvent } from '../db/events.ts';
import type { AppParts } from '../services.ts';
import { createUnreadCounts } from './unread-counts.ts';
import { KIB } from '../../contract/rules/units.ts';
import { createJob } from '../jobs/jobs.ts';

/** CONTRACT.md, "Live socket". */
const PATH = '/socket.io/';
const UNREAD = 'unread-comment';
const COMMENTS = 'article-comments';
const WATCH = 'watch-article';
const NOTIFICATIONS = 'notification-count';
const WATCH_NOTIFICATIONS = 'watch-notifications';
const MAX_MESSAGE_BYTES = 16 * KIB;
const MAX_SOCKETS_PER_USER = 20;

type LiveServer = Server<
  {
    [WATCH]: (articleId: unknown) => void;
    [WATCH_NOTIFICATIONS]: () => void;
    [WATCH_STAFF]: () => void;
  },
  {
    [UNREAD]: (count: number) => void;
    [COMMENTS]: (articleId: string) => void;
    [NOTIFICATIONS]: (count: number) => void;
    [STAFF_COUNTS]: (counts: StaffCounts) => void;
  },
  Record<string, never>,
  { viewer: Viewer; asking?: Asking }
>;
interface Asking {
  isChanged: boolean;
}
type LiveSocket = Parameters<Parameters<LiveServer['use']>[0]>[0];

interface Parts extends Pick<AppParts, 'auth' | 'comments' | 'notifications' | 'waiting' | 'events' | 'log'> {
  origins: readonly string[];
  /** Returns whether the client may open another connection; sends the refusal itself otherwise. */
  mayConnect(request: IncomingMessage): boolean;
}

export const isLiveHandshake = ({ url, headers }: IncomingMessage): boolean =>
  url?.startsWith(PATH) === true && headers.upgrade?.toLowerCase() === 'websocket';

const roomOf = {
  user: (id: string) => `user:${id}`,
  signin: (id: string) => `signin:${id}`,
  article: (id: string) => `article:${id}`,
  asking: (articleId: string) => `asking:${articleId}`,
  notified: (userId: string) => `notified:${userId}`,
  staff: (userId: string) => `staff:${userId}`,
};

const idIn = (room: string, kind: keyof typeof roomOf) =>
  room.startsWith(`${kind}:`) ? [room.slice(kind.length + 1)] : [];

/** Accepts handshakes without Origin (not browsers), from one of `origins`, or from the requested host. */
function isOwnOrigin({ headers: { origin, host } }: IncomingMessage, origins: readonly string[]): boolean {
  if (origin === undefined || origins.includes(origin)) return true;
  return URL.parse(origin)?.host === host;
}

/**
 * Serves Socket.IO on `server`: sends users their unread comment counts on connecting and on change, and
 * announces changed comments of the article that a socket watches; clients that ask for it also receive the
 * counts of their unread notifications. Websocket only; foreign origins are
 * refused before the handshake, because `cors` does not stop a websocket. Each process notifies its own
 * sockets, also of other processes' events (docs/decisions/0014-many-nodes.md).
 */
export function attachLive(
  server: HttpServer,
  { auth, comments, notifications, waiting: waits, events, log, origins, mayConnect }: Parts,
): { close(): void } {
  const io: LiveServer = new Server(server, {
    path: PATH,
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    allowRequest: (request, answer) => answer(null, isOwnOrigin(request, origins) && mayConnect(request)),
  });

  const { rooms } = io.sockets.adapter;
  const connected = (kind: keyof typeof roomOf) => [...rooms.keys()].flatMap((room) => idIn(room, kind));

  const failed = (error: unknown) => log.error({ err: error }, 'live update failed');
  const staff = createStaffRoom({
    waiting: waits,
    listening: () => connected('staff'),
    send: (userId, counts) => io.to(roomOf.staff(userId)).emit(STAFF_COUNTS, counts),
    dismiss: (userId) => io.socketsLeave(roomOf.staff(userId)),
    failed,
  });
  const unread = createUnreadCounts<LiveSocket>({
    countUnread: comments.countUnreadOf,
    send(userId, sockets, count) {
      if (sockets) for (const socket of sockets) socket.emit(UNREAD, count);
      else io.to(roomOf.user(userId)).emit(UNREAD, count);
    },
    failed,
  });
  const sendCounts = (userIds: readonly string[]): void => {
    for (const id of userIds) if (rooms.has(roomOf.user(id))) unread.ask(id);
  };
  const notified = createUnreadCounts<LiveSocket>({
    countUnread: notifications.countUnreadOf,
    send(userId, sockets, count) {
      if (sockets) for (const socket of sockets) socket.emit(NOTIFICATIONS, count);
      else io.to(roomOf.notified(userId)).emit(NOTIFICATIONS, count);
    },
    failed,
  });
  const sendNotified = (userIds: readonly string[]): void => {
    for (const id of userIds) if (rooms.has(roomOf.notified(id))) notified.ask(id);
  };
  const end = (signinId: string) => io.in(roomOf.signin(signinId)).disconnectSockets(true);
  const notifyReaders = (articleId: string): void => {
    io.to(roomOf.article(articleId)).except(roomOf.asking(articleId)).emit(COMMENTS, articleId);
    for (const id of rooms.get(roomOf.asking(articleId)) ?? []) {
      const asking = io.sockets.sockets.get(id)?.data.asking;
      if (asking) asking.isChanged = true;
    }
  };
  const followArticle = async (event: Extract<BlogEvent, { type: 'article-changed' }>): Promise<void> => {
    const { articleId, authorId, audience } = event;
    if (audience === 'nobody' || rooms.size === 0) return;
    // Readers who may still see it watch it again from the next page.
    io.socketsLeave(roomOf.article(articleId));
    const isConcerned = (userId: string) =>
      audience === 'everybody' || (userId === authorId) === (audience === 'author');
    sendCounts((await comments.unreadRecipients(articleId)).filter(isConcerned));
  };
  const follow = async (event: BlogEvent): Promise<void> => {
    staff.follow(event);
    if (event.type === 'comments-changed') {
      notifyReaders(event.articleId);
      sendCounts(event.recipientIds);
    }
    if (event.type === 'comments-read') sendCounts([event.userId]);
    if (event.type === 'notifications-changed') sendNotified(event.userIds);
    if (event.type === 'article-changed') await followArticle(event);
    if (event.type === 'signed-out') end(event.signinId);
    if (event.type === 'anything') {
      (await auth.endedAmong(connected('signin'))).forEach(end);
      connected('article').forEach(notifyReaders);
      sendCounts(connected('user'));
      sendNotified(connected('notified'));
    }
  };
  const stopListening = events.listen((event) => {
    follow(event).catch(failed);
  });

  const refusalOf = async (socket: LiveSocket): Promise<Error | undefined> => {
    const { token } = socket.handshake.query;
    const caller = await auth.viewerOf(typeof token === 'string' ? token : undefined);
    // The socket only gives numbers, and clients do not refresh on public pages, so an expired token of a
    // live sign-in is accepted.
    const viewer = caller.viewer ?? caller.expiredViewer;
    if (!viewer) return refusal('SIGNIN_REQUIRED');
    const sockets = rooms.get(roomOf.user(viewer.id))?.size ?? 0;
    if (sockets >= MAX_SOCKETS_PER_USER) return refusal('TOO_MANY_REQUESTS');
    socket.data.viewer = viewer;
    return undefined;
  };
  const admit = async (socket: LiveSocket, answer: (refused?: Error) => void): Promise<void> => {
    try {
      const refused = await refusalOf(socket);
      if (refused) log.info({ address: socket.handshake.address }, 'live connection refused');
      answer(refused);
    } catch (error) {
      log.error({ err: error }, 'live handshake failed');
      answer(refusal('FAULT'));
    }
  };
  const watch = async (socket: LiveSocket, articleId: unknown): Promise<void> => {
    if (typeof articleId !== 'string' || !/^[0-9a-f]{24}$/.test(articleId) || socket.data.asking) return;
    const asking: Asking = { isChanged: false };
    socket.data.asking = asking;
    const [room, askingRoom] = [roomOf.article(articleId), roomOf.asking(articleId)];
    try {
      for (const former of socket.rooms) if (idIn(former, 'article').length > 0) await socket.leave(former);
      // Joins before checking, so hiding the article meanwhile removes the socket from the room.
      await socket.join([room, askingRoom]);
      if (!(await comments.isVisible(articleId, socket.data.viewer))) await socket.leave(room);
      else if (asking.isChanged && socket.rooms.has(room)) socket.emit(COMMENTS, articleId);
    } finally {
      await socket.leave(askingRoom);
      delete socket.data.asking;
    }
  };
  io.use((socket, next) => void admit(socket, next));
  io.on('connection', (socket) => {
    const { viewer } = socket.data;
    void socket.join([roomOf.user(viewer.id), roomOf.signin(viewer.signinId)]);
    socket.on(WATCH, (articleId) => void watch(socket, articleId).catch(failed));
    socket.on(WATCH_NOTIFICATIONS, () => {
      if (socket.rooms.has(roomOf.notified(viewer.id))) return;
      void socket.join(roomOf.notified(viewer.id));
      notified.ask(viewer.id, socket);
    });
    socket.on(WATCH_STAFF, () => {
      // A user without permission is removed before anything is sent.
      if (socket.rooms.has(roomOf.staff(viewer.id))) return;
      void socket.join(roomOf.staff(viewer.id));
      staff.update();
    });
    unread.ask(viewer.id, socket);
  });
  return {
    close() {
      stopListening();
      // Without a disconnect packet, after which clients would not reconnect.
      io.engine.close();
    },
  };
}

interface Room extends Pick<AppParts, 'waiting'> {
  listening(): string[];
  send(userId: string, counts: StaffCounts): void;
  dismiss(userId: string): void;
  failed(error: unknown): void;
}

const CHANGES: readonly BlogEvent['type'][] = [
  'held-changed',
  'reports-changed',
  'friends-changed',
  'anything',
];

/**
 * Sends staff the counts of pending items when they change. Permission is checked each time, so former staff
 * stop receiving them.
 */
function createStaffRoom({ waiting, listening, send, dismiss, failed }: Room) {
  async function sendAll(): Promise<void> {
    const ids = listening();
    if (ids.length === 0) return;
    const counts = await waiting.countsFor(ids);
    for (const id of ids) {
      const known = counts.get(id);
      if (known) send(id, known);
      else dismiss(id);
    }
  }
  const job = createJob(sendAll, { everyMs: Infinity, failed });
  job.start();

  return {
    /** Sends the counts to all listeners; concurrent calls are merged. */
    update: job.wake,
    follow({ type }: BlogEvent): void {
      if (CHANGES.includes(type)) job.wake();
    },
  };
}
