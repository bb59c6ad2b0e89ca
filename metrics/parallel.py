"""The same work on many items in threads, each with the caller's context; the first error cancels what waits."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_parallel(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    threads: int = 4,
    on_item: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """The results, in the items' order.

    Args:
        work: what is done with an item; it sees the caller's `dspy.context`.
        items: what it is done with.
        threads: items in flight.
        on_item: called with (done, total) after each item, in the calling thread.

    Raises:
        Exception: the first that `work` raises; items that wait are cancelled, those in flight end by themselves.
    """
    with ThreadPoolExecutor(max_workers=threads) as pool:
        futures = [pool.submit(copy_context().run, work, item) for item in items]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                if on_item:
                    on_item(done, len(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [future.result() for future in futures]
