/** The row of a node in the list of its instance, by which nodes find the servers to join. */
import { deleteNode, insertNode, type NewNode, pingNode } from '#store/nodes/nodes.ts'
import type { Deps } from '../deps.ts'

/** Adds the node, and replaces a row that an earlier process left at the same address. */
export const registerNode = async ({ db }: Pick<Deps, 'db'>, node: NewNode): Promise<void> => {
  await db.write(insertNode(node), { retry: true })
}

/** Records that the node is alive. It adds the row again if a sweep has removed it. */
export const refreshNode = async ({ db }: Pick<Deps, 'db'>, node: NewNode): Promise<void> => {
  await db.write([pingNode(node)], { retry: true })
}

/** Removes the node. @throws {DatabaseError} the database does not answer; a sweep removes the row later */
export const unregisterNode = async ({ db }: Pick<Deps, 'db'>, id: string): Promise<void> => {
  await db.write([deleteNode(id)], { retry: true })
}
