# SPDX-License-Identifier: BSD-3-Clause
"""Manifests that express the fork as insertions and replacements named by hash. See docs/fork.md."""
