"""The agents: each chooses a move and says what it thinks of every one. One file an agent.

Loads no Numba: an agent that needs the engine loads it when it is prepared.
"""

from nimtui.agents.agent import Agent, Decision, Thought
from nimtui.agents.parse import agent_choices, parse_agent
from nimtui.agents.registry import AgentPreset, agent_forms, presets

__all__ = [
    "Agent",
    "AgentPreset",
    "Decision",
    "Thought",
    "agent_choices",
    "agent_forms",
    "parse_agent",
    "presets",
]
