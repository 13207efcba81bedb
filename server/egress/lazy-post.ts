import type { createPost, Post } from './post.ts'

type Options = Parameters<typeof createPost>[0]

/** Like `createPost`, but imports it with the first webhook, which makes a start faster. */
export function createLazyPost(options: Options): ReturnType<typeof createPost> {
  let loading: Promise<ReturnType<typeof createPost>> | undefined

  async function load(): Promise<ReturnType<typeof createPost>> {
    const module = await import('./post.ts')
    return module.createPost(options)
  }
  const post: Post = async (...args) => (await (loading ??= load())).post(...args)
  return {
    post,
    async close() {
      await (await loading)?.close()
    },
  }
}
