# SPDX-License-Identifier: BSD-3-Clause
"""What the viewer of a film sees, as cmt-lab's player.h has it, from when which bytes were there."""


def watch(growth, started_us, rate_bps, buffer_us):
    """growth: [[us, bytes in all]], growing. The keys are those of `cmt-lab run --json` with `play`."""
    buffer_bytes = rate_bps * buffer_us / 8e6
    wait_us, startup_us, stalls, stalled_us = 0, None, 0, 0
    had, played, since_us, playing = 0, 0.0, started_us, False
    for index, (now_us, have) in enumerate(growth):
        wait_us = max(wait_us, now_us - started_us - had * 8e6 / rate_bps)
        if playing:
            dry_us = since_us + (had - played) * 8e6 / rate_bps
            playing = now_us <= dry_us
            stalls += not playing
            played = had if not playing else played + (now_us - since_us) * rate_bps / 8e6
            since_us = min(now_us, dry_us)
        had = have
        if not playing and (had - played >= buffer_bytes or index == len(growth) - 1):
            if startup_us is None:
                startup_us = now_us - started_us
            else:
                stalled_us += now_us - since_us
            playing, since_us = True, now_us
    return {"play_wait_us": round(wait_us), "play_startup_us": startup_us, "play_stalls": stalls,
            "play_stalled_us": round(stalled_us)}
