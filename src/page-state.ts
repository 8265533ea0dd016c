import type { APIContext, AstroGlobal } from 'astro';
import { FetchState } from 'astro/fetch';

type Result = Awaited<ReturnType<FetchState['createResult']>>;
type Module = Awaited<ReturnType<FetchState['loadComponentInstance']>>;
type Context = ReturnType<FetchState['getActionAPIContext']>;
type Props = Record<string, unknown>;

// Astro imports a page's module anew on each request, which costs Node 40 µs though it has the module.
const loadedModules = new WeakMap<object, Module>();

/**
 * What Astro knows of a request while it makes the page, without what our pages never use and with nothing left behind. Astro
 * itself defines getters on objects of each request; V8 holds those in old space, and with them all that they can see, until the
 * next full collection, which was a third of a page's time (docs/decisions/0003).
 */
export class PageState extends FetchState {
  // Whole answers have a length and compress better; Astro would also hash every style of a page anew on each request, so
  // src/fetch.ts makes the policy once, of what is known since the build. Together they are half the time of a page.
  override streaming = false;
  override shouldInjectCspMetaTags = false;

  override async loadComponentInstance(): Promise<Module> {
    const { routeData } = this;
    const known = routeData && loadedModules.get(routeData);
    if (known) {
      this.componentInstance = known;
      return known;
    }
    const loaded = await super.loadComponentInstance();
    if (routeData && import.meta.env.PROD) loadedModules.set(routeData, loaded);
    return loaded;
  }

  /** No page is prerendered, so none has props; Astro would work that out again each time. */
  override async getProps(): Promise<Props> {
    return (this.props ??= {});
  }

  /** What a component sees as `Astro`. */
  override createAstro(result: Result, props: Props): AstroGlobal {
    return new PageGlobal(this, result, props);
  }
  override getAPIContext(): APIContext {
    return new PageGlobal(this);
  }
  override getActionAPIContext(): Context {
    return new PageGlobal(this);
  }
  /** Astro's own view of the request, getters and all. */
  get context(): Context {
    return super.getActionAPIContext();
  }

  /** Lets go of the request and all that was made for it. Call when the page is there or none is asked for; it makes none then. */
  release(): void {
    if (this.result) Object.assign(this.result, NO_RESULT);
    Object.assign(this, NO_REQUEST);
  }
}

// What the functions that Astro leaves in old space can see.
const NO_RESULT = { cookies: undefined, request: undefined, response: undefined, _metadata: undefined };
const NO_REQUEST = {
  cookies: undefined,
  locals: undefined,
  request: undefined,
  response: undefined,
  result: undefined,
  url: undefined,
};

/** A request as pages see it. The getters belong to the class: defined once, they hold no request. */
class PageGlobal implements AstroGlobal {
  readonly #state: PageState;
  readonly #result: Result | undefined;
  readonly props: Props;
  /** Set by the component itself. */
  self!: AstroGlobal['self'];

  constructor(state: PageState, result?: Result, props: Props = {}) {
    this.#state = state;
    this.#result = result;
    this.props = props;
  }

  get cookies() {
    return this.#state.cookies;
  }
  get isPrerendered() {
    return false;
  }
  get locals() {
    return this.#state.locals;
  }
  get params() {
    return this.#state.params ?? {};
  }
  get request() {
    return this.#state.request;
  }
  get response() {
    return this.#result?.response ?? lacking('response');
  }
  get url() {
    return this.#state.url;
  }
  redirect(path: string, status = 302): Response {
    return new Response(null, { status, headers: { Location: path } });
  }
  rewrite(to: Parameters<AstroGlobal['rewrite']>[0]): Promise<Response> {
    return this.#state.rewrite(to);
  }

  // Seldom asked for.
  get clientAddress() {
    return this.#state.context.clientAddress;
  }
  get csp() {
    return this.#state.context.csp;
  }
  get currentLocale() {
    return this.#state.context.currentLocale;
  }
  get generator() {
    return this.#state.context.generator;
  }
  get logger() {
    return this.#state.context.logger;
  }
  get originPathname() {
    return this.#state.context.originPathname;
  }
  get preferredLocale() {
    return this.#state.context.preferredLocale;
  }
  get preferredLocaleList() {
    return this.#state.context.preferredLocaleList;
  }
  get routePattern() {
    return this.#state.context.routePattern;
  }
  get site() {
    return this.#state.context.site;
  }

  // The site has no actions, no sessions and no cache of Astro's, and no component looks at its slots but through `<slot>`.
  get cache() {
    return lacking('cache');
  }
  get callAction() {
    return lacking('callAction');
  }
  get getActionResult() {
    return lacking('getActionResult');
  }
  get session() {
    return lacking('session');
  }
  get slots() {
    return lacking('slots');
  }
}

function lacking(name: string): never {
  throw new Error(`Astro.${name} is not there: see src/page-state.ts`);
}
