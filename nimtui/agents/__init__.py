"""The agents: each chooses a move and rates every legal move. One file per agent.

Importing this package does not load Numba: an agent that needs the engine loads it in `prepare`.
"""

from nimtui.agents.agent import Agent, Decision, Thinking, Thought
from nimtui.agents.parse import agent_choices, parse_agent, presets_for
from nimtui.agents.registry import AgentPreset, agent_forms, presets

__all__ = [
    "Agent",
    "AgentPreset",
    "Decision",
    "Thinking",
    "Thought",
    "agent_choices",
    "agent_forms",
    "parse_agent",
    "presets",
    "presets_for",
]
